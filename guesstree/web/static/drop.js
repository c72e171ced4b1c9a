// A file is brought as soon as it is chosen, or dropped anywhere on the page.
const form = document.querySelector("form.bring");
const input = form?.querySelector("input[type=file]");

if (form && input) {
  const place = form.closest(".drop");
  input.addEventListener("change", () => { if (input.files.length) form.requestSubmit(); });
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
    const one = new DataTransfer();
    one.items.add(event.dataTransfer.files[0]);
    input.files = one.files;
    form.requestSubmit();
  });
}
