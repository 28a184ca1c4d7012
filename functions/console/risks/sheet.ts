import text from '../styles/risks.lazy.css';

/** The page comes with the styles of every view; those that few views show come with the code. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(text);
document.adoptedStyleSheets.push(sheet);
