/** Between two versions; read as “to”. */
export function Arrow() {
  return (
    <>
      <span aria-hidden="true"> → </span>
      <span class="visually-hidden"> to </span>
    </>
  );
}
