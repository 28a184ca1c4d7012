/** Text of a style sheet that comes with a view on demand. */
declare module '*.lazy.css' {
  const text: string;
  export default text;
}

/** Styles are bundled; code imports nothing from them. */
declare module '*.css';
