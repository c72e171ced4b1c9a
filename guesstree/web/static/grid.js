// The cells of a table, each in a field of its own. The text that is sent is that of the area they stand for.
const area = document.getElementById("grid");
if (area) show(area);

function show(area) {
  const rows = area.value.split("\n").map((line) => line.split("\t"));
  const width = Math.max(...rows.map((row) => row.length));
  rows.forEach((row) => { while (row.length < width) row.push(""); });
  const box = document.createElement("div");
  box.className = "grid-edit";
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "All cells");
  const table = document.createElement("table");
  table.setAttribute("role", "presentation");
  box.append(table);
  const marked = new Set(area.dataset.marked.split(" "));
  let drawn = false;

  const draw = () => {
    drawn = true;
    table.replaceChildren(...rows.map((row, i) => {
      const line = document.createElement("tr");
      line.append(...row.map((cell, j) => {
        const place = document.createElement("td");
        const field = document.createElement("input");
        field.value = field.defaultValue = cell;
        field.dataset.at = `${i},${j}`;
        if (marked.has(field.dataset.at)) {
          field.className = "doubt";
          field.title = "Something is said of this cell above";
        }
        place.append(field);
        return place;
      }));
      return line;
    }));
    rows[0].forEach((_, j) => widen(j));
    name();
  };
  // A column is as wide as its longest text, so that none is cut.
  const widen = (j) => {
    const size = Math.max(6, ...rows.map((row) => row[j].length + 1));
    for (const row of table.rows) row.cells[j].firstChild.size = size;
  };
  const name = () => {
    for (const field of table.querySelectorAll("input")) {
      const [i, j] = at(field);
      const what = `${rows[i][0] || `row ${i + 1}`}, ${rows[0][j] || `column ${j + 1}`}`;
      field.setAttribute("aria-label", !i ? `name of column ${j + 1}` : !j ? `name of row ${i + 1}` : what);
    }
  };
  const at = (field) => field.dataset.at.split(",").map(Number);
  const field = (i, j) => table.rows[i]?.cells[j]?.firstChild;
  const keep = () => { area.value = rows.map((row) => row.join("\t")).join("\n"); };
  const put = (i, j, text) => {
    const one = field(i, j);
    if (!one) return;
    rows[i][j] = one.value = text.replace(/[\t\r\n]+/g, " ");
    one.classList.toggle("changed", one.value !== one.defaultValue);
    widen(j);
  };

  table.addEventListener("input", (event) => { put(...at(event.target), event.target.value); keep(); });
  table.addEventListener("change", (event) => { if (at(event.target).includes(0)) name(); });
  table.addEventListener("keydown", (event) => {
    const [i, j] = at(event.target);
    const down = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key];
    if (!down) return;
    event.preventDefault();
    field(i + down, j)?.focus();
    field(i + down, j)?.select();
  });
  table.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text").replace(/\r\n?/g, "\n").replace(/\n$/, "");
    if (!/[\t\n]/.test(text)) return;
    event.preventDefault();
    const [i, j] = at(event.target);
    text.split("\n").forEach((line, y) => line.split("\t").forEach((cell, x) => put(i + y, j + x, cell)));
    keep();
    name();
  });

  const more = document.createElement("p");
  more.className = "row";
  const button = (text, work) => {
    const one = document.createElement("button");
    one.type = "button";
    one.textContent = text;
    one.addEventListener("click", () => { work(); keep(); draw(); });
    more.append(one);
  };
  button("Add a row", () => rows.push(rows[0].map(() => "")));
  button("Add a column", () => rows.forEach((row) => row.push("")));

  const details = area.closest("details");
  const open = () => { if (!drawn && (!details || details.open)) draw(); };
  details?.addEventListener("toggle", open);
  area.closest(".field").hidden = true;
  area.closest("form").insertBefore(more, area.closest("form").lastElementChild);
  area.closest(".field").before(box);
  open();
}
