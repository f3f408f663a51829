import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { MissionPage } from '@/app/_trpc/outputs';
import { MissionFacts } from './mission-facts';

type Mission = NonNullable<MissionPage['mission']>;

const mission = (over: Partial<Mission> = {}): Mission => ({
  id: 'm-7',
  tasks: 3,
  counts: {
    passed: 2,
    failed: 1,
    needsReview: 0,
    inconclusive: 0,
    skipped: 0,
    pending: 0,
    awaitingReview: 2,
  },
  workUsd: 1.75,
  judgingUsd: 0.25,
  priceUnknown: false,
  share: 0.14,
  startedAt: new Date('2026-01-02T03:04:05Z'),
  ...over,
});

const shown = (page: Partial<MissionPage>): string =>
  renderToStaticMarkup(
    <MissionFacts
      page={{ mission: null, settings: { judge: null, reviewAboveUsd: null }, models: [], ...page }}
    />,
  ).replaceAll(/<[^>]+>/g, ' ');

test('VS-38 VS-45 a mission shows its cost, its judge and its review limit', () => {
  const text = shown({
    mission: mission(),
    settings: { judge: 'openai:gpt-4o', reviewAboveUsd: 1.5 },
  });
  for (const part of ['$1.75', '$0.25', 'openai:gpt-4o', 'Above $1.50'])
    expect(text).toContain(part);
  expect(text).not.toContain('At least');
});

test('an unknown price, and work without a reported cost, are shown as such', () => {
  const text = shown({ mission: mission({ workUsd: null, priceUnknown: true }) });
  expect(text).toContain('Unknown');
  expect(text).toContain('At least $0.25');
});

test('a mission without work has settings and no cost', () => {
  const text = shown({});
  expect(text).toContain('Default judge of the project');
  expect(text).toContain('No cost limit');
  expect(text).not.toContain('Judging');
});
