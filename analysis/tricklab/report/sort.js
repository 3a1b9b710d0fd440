// Sorts a table by the column whose heading is pressed: by the number a cell begins with, else by its text.
const value = (row, column) => {
  const text = row.cells[column].textContent.trim();
  const number = parseFloat(text.replace("−", "-").replace(/,/g, ""));
  return Number.isNaN(number) ? text : number;
};
const before = (a, b) => {
  if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b);
  return typeof a === "number" ? -1 : 1;
};
for (const heading of document.querySelectorAll("th")) {
  heading.tabIndex = 0;
  const sort = () => {
    const table = heading.closest("table");
    const falling = heading.getAttribute("aria-sort") === "ascending";
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => before(value(a, heading.cellIndex), value(b, heading.cellIndex)) * (falling ? -1 : 1));
    table.tBodies[0].append(...rows);
  };
  heading.addEventListener("click", sort);
  heading.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
}
