/** Styles are bundled; code imports nothing from them. */
declare module '*.css';
