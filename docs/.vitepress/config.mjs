// The documentation site: `npm run docs` builds it into dist/docs, and the console serves it at
// /docs. The sidebar is made from the files: each page is listed under its first heading.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const docs = fileURLToPath(new URL('..', import.meta.url));

/** As GitHub makes them, so that one link works in the repository and on the site. */
const slugify = (/** @type {string} */ heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** @param {string} file below docs */
function titleOf(file) {
  const heading = /^# (.+)$/m.exec(readFileSync(join(docs, file), 'utf8'));
  return (heading?.[1] ?? file).replaceAll('`', '');
}

/**
 * The pages of a folder: those of `first` in their order, then the others by title.
 * @param {string} folder @param {string[]} [first]
 */
function pagesOf(folder, first = []) {
  const names = readdirSync(join(docs, folder)).filter((name) => name.endsWith('.md'));
  return names
    .map((name) => ({
      at: first.indexOf(name.replace('.md', '')),
      text: titleOf(join(folder, name)),
      link: `/${folder}/${name.replace(/(index)?\.md$/, '')}`,
    }))
    .toSorted((a, b) => {
      const rank = (/** @type {number} */ at) => (at < 0 ? first.length : at);
      return rank(a.at) - rank(b.at) || a.text.localeCompare(b.text);
    })
    .map(({ text, link }) => ({ text, link }));
}

export default defineConfig({
  title: 'Assay',
  description: 'Documentation of Assay',
  base: '/docs/',
  outDir: '../dist/docs',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  metaChunk: true,
  rewrites: { 'spec/README.md': 'spec/index.md' },
  // Addresses of a running instance are examples, not pages.
  ignoreDeadLinks: [/^https?:\/\/localhost/],
  markdown: {
    // Texts name placeholders such as <kind>: they are text, never markup.
    html: false,
    attrs: { disable: true },
    anchor: { slugify },
    toc: { slugify },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [],
    nav: [
      { text: 'Start', link: '/start/quickstart' },
      { text: 'How-to', link: '/how-to/' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Console', link: '/console/' },
    ],
    sidebar: [
      { text: 'Start', items: pagesOf('start', ['quickstart', 'demo', 'concepts']) },
      { text: 'How-to', collapsed: true, items: pagesOf('how-to', ['index']) },
      {
        text: 'Reference',
        collapsed: true,
        items: [
          ...pagesOf('reference', ['index', 'http']),
          {
            text: 'Routes of the HTTP API',
            collapsed: true,
            items: pagesOf('reference/api', ['index', 'ingest', 'verify', 'verdicts']),
          },
        ],
      },
      {
        text: 'Console',
        collapsed: true,
        items: pagesOf('console', [
          'index',
          'overview',
          'verdicts',
          'review',
          'alerts',
          'traces',
          'sessions',
          'checkpoints',
          'gateway',
        ]),
      },
      { text: 'Develop', collapsed: true, items: pagesOf('develop', ['contributing']) },
      { text: 'Specification', collapsed: true, items: specification() },
    ],
  },
});

function specification() {
  return pagesOf('spec').map(({ text, link }) => ({ text, link: link.replace('README', '') }));
}
