import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PromptSummary } from '@/app/_trpc/outputs';
import { PromptTable } from '../(list)/prompt-table';
import { FellBackNotice } from './fell-back-notice';

const fellBack = { version: 4, why: 'invalid', message: 'the text lacks {{task}}' } as const;

test('X-8 a prompt that fell back shows it, with the version and the reason', () => {
  expect(renderToStaticMarkup(<FellBackNotice fellBack={null} />)).toBe('');
  const html = renderToStaticMarkup(<FellBackNotice fellBack={fellBack} />);
  for (const text of [
    'Judges use the text of the release',
    'version 4',
    'cannot be used: the text lacks {{task}}',
  ])
    expect(html, text).toContain(text);
});

const prompt: PromptSummary = {
  slug: 'task-rubric',
  kind: 'task',
  verifier: 'task',
  base: 0,
  title: 'Rubric <b>',
  description: 'Scores.',
  output: 'rubric',
  production: { version: 2, by: 'me', at: new Date(0) },
  latest: { version: 3, by: 'me', at: new Date(0) },
  fellBack: null,
};
const shown = (over: Partial<PromptSummary>) =>
  renderToStaticMarkup(
    <PromptTable project="p" prompts={[{ ...prompt, ...over }]} onOpen={() => undefined} />,
  );

test('X-8 the list shows which version runs, and which is the latest', () => {
  expect(shown({})).toMatch(/version 2.*latest is 3/);
  expect(shown({})).toContain('Rubric &lt;b&gt;');
  expect(
    shown({
      production: { version: 0, by: null, at: null },
      latest: { version: 0, by: null, at: null },
    }),
  ).toContain('default');
  const html = shown({ production: { version: 4, by: 'me', at: new Date(0) }, fellBack });
  expect(html).toContain('release, not 4');
  expect(html).not.toContain('version 4,');
});
