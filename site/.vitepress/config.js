import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { navigation } from '../navigation.ts';
import { slug } from '../slug.ts';

/**
 * A page is text: `<file>` in it is no element, and two braces are no expression of Vue. Indented code looks
 * like any other, and a short word of code is not divided at a dash.
 */
const asText = (md) => {
  const { rules } = md.renderer;
  const { text, code_inline: code } = rules;
  md.disable('html_inline');
  rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;');
  rules.code_inline = (tokens, index, ...rest) => {
    if (/^\S{1,24}$/.test(tokens[index].content)) tokens[index].attrSet('class', 'word');
    return code(tokens, index, ...rest);
  };
  rules.code_block = (tokens, index, ...rest) => {
    tokens[index].info = 'txt';
    return rules.fence(tokens, index, ...rest);
  };
};

export default defineConfig({
  title: 'sup',
  description: 'A process supervisor for Linux',
  // Browsers ask for an icon otherwise.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '.pages',
  outDir: '../dist/docs',
  markdown: {
    linkify: false,
    anchor: { slugify: slug },
    headers: { slugify: slug },
    toc: { slugify: slug },
    config: asText,
  },
  themeConfig: {
    ...navigation(fileURLToPath(new URL('../../docs', import.meta.url))),
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
