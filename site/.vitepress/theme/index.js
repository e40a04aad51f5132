// The theme with the fonts of the reader's machine: a page loads nothing from elsewhere.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
