/** Styles are bundled, nothing is taken from them in code. */
declare module '*.css';
