// A file is brought as soon as it is chosen, or dropped anywhere on the page.
const form = document.querySelector("form.bring");
const input = form?.querySelector("input[type=file]");

if (form && input) {
  const place = form.closest(".drop");
  const button = form.querySelector("button");
  const fault = form.querySelector(".fault");
  const name = button.textContent;
  const busy = (is) => { button.textContent = is ? "Reading …" : name; button.disabled = is; };
  const send = () => {
    if (!input.files.length) return;
    const size = [...input.files].reduce((all, file) => all + file.size, 0);
    fault.hidden = size <= Number(form.dataset.most);
    if (!fault.hidden) {
      fault.textContent = `${input.files.length > 1 ? "These files have" : "This file has"} ${Math.ceil(size / 1e6)} MB; expected at most ${Math.round(form.dataset.most / 1e6)} MB.`;
      input.value = "";
      return;
    }
    form.requestSubmit();
  };
  input.addEventListener("change", send);
  form.addEventListener("submit", () => setTimeout(() => busy(true)));
  addEventListener("pageshow", () => busy(false));
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  let inside = 0;
  const mark = (by) => { inside = Math.max(inside + by, 0); place.classList.toggle("over", inside > 0); };
  addEventListener("dragenter", (event) => { if (hasFiles(event)) mark(1); });
  addEventListener("dragleave", (event) => { if (hasFiles(event)) mark(-1); });
  addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(-inside);
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    send();
  });
}
