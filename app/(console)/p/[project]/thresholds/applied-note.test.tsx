import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient } from '@trpc/client';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TRPCProvider } from '@/app/_trpc/client';
import type { ThresholdChange } from '@/app/_trpc/outputs';
import type { AppRouter } from '@/server/api/trpc';
import { AppliedNote } from './applied-note';
import type { PlannedChange } from './threshold-values';
import { StagedPanel } from './staged-panel';

const pass: PlannedChange = { key: 'pass_threshold', value: 0.6, before: 0.7, version: 2 };
const fail: PlannedChange = { key: 'fail_threshold', value: 0.3, before: 0.4, version: 5 };
const scope = { missionId: null, taskId: null };

const change = (over: Partial<ThresholdChange>): ThresholdChange => ({
  verifier: 'task',
  key: 'pass_threshold',
  missionId: null,
  taskId: null,
  version: 2,
  value: 0.6,
  before: 0.7,
  reason: null,
  by: 'olga',
  at: new Date('2026-01-02T03:04:05Z'),
  isCurrent: true,
  ...over,
});

function note(applied: readonly PlannedChange[], changes: readonly ThresholdChange[]): string {
  const queries = new QueryClient();
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={createTRPCClient<AppRouter>({ links: [] })} queryClient={queries}>
        <AppliedNote
          project="p"
          verifier="task"
          applied={{ scope, changes: applied }}
          changes={changes}
          onUndone={() => undefined}
          onClose={() => undefined}
        />
      </TRPCProvider>
    </QueryClientProvider>,
  );
}

const byAdam = change({ version: 3, value: 0.8, before: 0.6, by: 'adam' });

test('VS-33 an applied value is current and can be undone while it is the newest version', () => {
  const shown = note([pass], [change({})]);
  expect(shown).toContain('pass_threshold is 0.6 from now on');
  expect(shown).toContain('>Undo</button>');
});

test('VS-33 after a change by another user, the note names the user and the value, and has no undo', () => {
  const shown = note([pass], [byAdam, change({ isCurrent: false })]);
  expect(shown).toContain('adam moved pass_threshold to 0.8');
  expect(shown).toContain('after you set it to 0.6');
  expect(shown).not.toContain('from now on');
  expect(shown).not.toContain('Undo');
});

test('of two that were applied together, only the current one is reported as such, with a link to the changes', () => {
  const shown = note([pass, fail], [byAdam]);
  expect(shown).toContain('fail_threshold is 0.3 from now on');
  expect(shown).toContain('adam moved pass_threshold to 0.8');
  expect(shown).toContain('You can undo the other values under Changes');
  expect(shown).not.toContain('Undo');
});

test.each([
  [null, false],
  ['pass_threshold takes 0 to 1, not 2.', true],
])(
  'a value that would be refused (%s) cannot be applied, and the reason is shown',
  (refusal, isRefused) => {
    const shown = renderToStaticMarkup(
      <StagedPanel
        project="p"
        verifier="task"
        scope={scope}
        planned={[{ ...pass, value: 2 }]}
        changes={[]}
        refusal={refusal}
        who="olga"
        mayWrite
        onRemove={() => undefined}
        onApplied={() => undefined}
        onConflict={() => undefined}
      />,
    );
    expect(shown.includes('aria-disabled="true"')).toBe(isRefused);
    expect(shown.includes('Cannot be applied: ')).toBe(isRefused);
    expect(shown).not.toContain(' disabled=""');
  },
);
