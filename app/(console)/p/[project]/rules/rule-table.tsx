import Link from 'next/link';
import type { Rule } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { decisionWords } from '@/app/_ui/why';
import { describeFilter } from '@/server/rules/input';

interface RuleTableProps {
  project: string;
  rules: readonly Rule[];
  mayWrite: boolean;
  /** Name of the rule whose switch is being saved. */
  switching: string | null;
  onSwitch: (rule: Rule) => void;
  onOpen: (what: 'edit' | 'backfill' | 'delete', rule: Rule) => void;
}

const heads = [
  'Rule',
  'Sends',
  'To',
  'Share',
  'After',
  'Budget a day',
  'Decisions of 7 days',
  'Enabled',
  '',
];

export function RuleTable({
  project,
  rules,
  mayWrite,
  switching,
  onSwitch,
  onOpen,
}: RuleTableProps) {
  return (
    <DataTable label="Rules" heads={heads}>
      {rules.map((rule) => (
        <Row key={rule.name}>
          <NameCell>
            <Link href={`/p/${project}/rules/${rule.name}`} className="font-semibold underline">
              {rule.name}
            </Link>{' '}
            <span className="text-ink-3">version {rule.version}</span>
          </NameCell>
          <FilterCell rule={rule} />
          <Cell mono>{rule.verifier}</Cell>
          <Cell>{shareText(rule.sampling)}</Cell>
          <Cell>{delayText(rule.delaySeconds)}</Cell>
          <Cell>{budgetText(rule)}</Cell>
          <Cell>
            <DecidedCounts project={project} rule={rule} />
          </Cell>
          <Cell>
            <RuleSwitch
              rule={rule}
              locked={!mayWrite || switching === rule.name}
              onToggle={() => onSwitch(rule)}
            />
          </Cell>
          <Cell end>
            {mayWrite ? (
              <span className="inline-flex gap-2">
                <Button aria-label={`Edit ${rule.name}`} onClick={() => onOpen('edit', rule)}>
                  Edit
                </Button>
                <Button
                  aria-label={`Backfill ${rule.name}`}
                  disabled={!rule.enabled}
                  onClick={() => onOpen('backfill', rule)}
                >
                  Backfill
                </Button>
                <Button
                  variant="danger"
                  aria-label={`Delete ${rule.name}`}
                  onClick={() => onOpen('delete', rule)}
                >
                  Delete
                </Button>
              </span>
            ) : null}
          </Cell>
        </Row>
      ))}
    </DataTable>
  );
}

function FilterCell({ rule }: { rule: Rule }) {
  const words =
    rule.filter === null
      ? 'nothing: this release cannot read its filter'
      : (describeFilter(rule.filter) ?? 'every turn');
  return (
    <td className="max-w-80 truncate px-4 whitespace-nowrap" title={plainText(words)}>
      <VisibleText text={words} />
    </td>
  );
}

/** Counts by state, each linking to its decisions. */
function DecidedCounts({ project, rule }: { project: string; rule: Rule }) {
  if (rule.decided.length === 0) return <span className="text-ink-3">none</span>;
  return (
    <span className="inline-flex gap-3">
      {rule.decided.map(({ state, count }) => (
        <Link
          key={state}
          href={`/p/${project}/rules/${rule.name}?state=${state}`}
          className="hover:underline"
        >
          <span className="font-semibold">{count.toLocaleString('en')}</span>{' '}
          <span className="text-ink-2">{decisionWords[state].toLowerCase()}</span>
        </Link>
      ))}
    </span>
  );
}

function RuleSwitch({
  rule,
  locked,
  onToggle,
}: {
  rule: Rule;
  locked: boolean;
  onToggle: () => void;
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={rule.enabled}
      aria-label={`Enable ${rule.name}`}
      disabled={locked}
      onClick={onToggle}
      className="flex items-center gap-2"
    >
      <span
        aria-hidden="true"
        className={`flex h-5 w-9 items-center rounded-full border px-0.5 ${rule.enabled ? 'bg-accent border-accent justify-end' : 'bg-sunken border-line-strong'}`}
      >
        <span className={`size-3.5 rounded-full ${rule.enabled ? 'bg-on-accent' : 'bg-ink-3'}`} />
      </span>
      {rule.enabled ? 'On' : 'Off'}
    </button>
  );
}

function shareText(sampling: number): string {
  return sampling === 1 ? 'all' : `${Number((sampling * 100).toPrecision(4))}%`;
}

function delayText(seconds: number): string {
  return seconds === 0 ? 'at once' : `${seconds.toLocaleString('en')} s`;
}

function budgetText({ dailyBudget, spentToday }: Rule): string {
  if (dailyBudget === null) return 'no limit';
  return `${(spentToday ?? 0).toLocaleString('en')} of ${dailyBudget.toLocaleString('en')}`;
}
