import Link from 'next/link';
import type { PlanStep, VerifierPage } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Empty, Panel } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { plainNumber } from '../../verdicts/[id]/subject/words';
import { PlanFigure } from './plan-figure';

const costs: Record<PlanStep['cost'], string> = {
  free: 'free',
  gate: 'gate',
  judge: 'calls a judge',
};

/** Twenty outputs make 190 similar pairs. */
const maxShown = 60;

interface PlanPanelProps {
  project: string;
  plan: VerifierPage['plan'];
  rule: string;
}

/** The measurements, their order, and the rule that combines them into a verdict. */
export function PlanPanel({ project, plan, rule }: PlanPanelProps) {
  return (
    <Panel
      title="Plan"
      aside={plan === null ? null : <PlanSource project={project} verdictId={plan.verdictId} />}
    >
      {plan === null ? (
        <Empty title="Its plan cannot be shown.">
          <p>It is built for each subject, and there is none yet.</p>
        </Empty>
      ) : (
        <>
          <PlanFigure steps={plan.steps.slice(0, maxShown)} />
          {plan.steps.length > maxShown ? (
            <p className="px-4 pb-3">
              The first {maxShown} of {plan.steps.length.toLocaleString('en')} nodes are shown.
            </p>
          ) : null}
          <p className="text-ink-2 max-w-[72ch] px-4 pb-3">
            Cheapest first. A failed required check stops evaluation, so that no more expensive
            check runs. {rule}
          </p>
          <PlanTable steps={plan.steps.slice(0, maxShown)} />
        </>
      )}
    </Panel>
  );
}

function PlanSource({ project, verdictId }: { project: string; verdictId: string | null }) {
  if (verdictId === null)
    return <span className="text-12 text-ink-3">of an example: nothing was judged yet</span>;
  return (
    <span className="text-12 text-ink-3">
      criteria, weights and must-pass of{' '}
      <Link
        href={`/p/${project}/verdicts/${encodeURIComponent(verdictId)}`}
        prefetch={false}
        className="underline"
      >
        the latest verdict
      </Link>
    </span>
  );
}

function PlanTable({ steps }: { steps: readonly PlanStep[] }) {
  return (
    <div className="border-line border-t">
      <DataTable
        label="Nodes of the plan"
        heads={['Node', 'Evaluator', 'Price', 'Must pass', 'Weight', 'Needs']}
      >
        {steps.map((step, at) => (
          <Row key={step.name}>
            <NameCell>
              <span title={plainText(step.title)}>
                {at + 1}. <VisibleText text={step.title} />
              </span>
            </NameCell>
            <Cell mono>{step.evaluator}</Cell>
            <Cell>{costs[step.cost]}</Cell>
            <Cell>{step.mustPass ? 'must pass' : <span className="text-ink-3">no</span>}</Cell>
            <Cell>
              {step.weight > 0 ? (
                plainNumber(step.weight)
              ) : (
                <span className="text-ink-3">none</span>
              )}
            </Cell>
            <Cell>
              {step.needs.length === 0 ? (
                <span className="text-ink-3">nothing</span>
              ) : (
                numbersOf(step.needs, steps)
              )}
            </Cell>
          </Row>
        ))}
      </DataTable>
    </div>
  );
}

/** `nodes 5, 6`. */
function numbersOf(names: readonly string[], steps: readonly PlanStep[]): string {
  return `${names.length === 1 ? 'node' : 'nodes'} ${names.map((name) => steps.findIndex((step) => step.name === name) + 1).join(', ')}`;
}
