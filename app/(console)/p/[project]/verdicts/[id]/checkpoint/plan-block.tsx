import { useMemo, useState } from 'react';
import type { CheckpointView, VerdictDetail } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, LongText } from '../block';
import { type PlacedSubgoal, type PlanStep, stepsOf } from './plan-order';

type Issue = VerdictDetail['issues'][number];

interface PlanBlockProps {
  decomposition: Extract<CheckpointView, { kind: 'decomposition' }>;
  issues: readonly Issue[];
}

/** Steps shown before the list is expanded: a decomposition may have thousands. */
const shownSteps = 40;
const shownSubgoals = 100;

/**
 * The subgoals in their order of execution, each with its agent, its dependencies, and its issues.
 */
export function PlanBlock({ decomposition, issues }: PlanBlockProps) {
  const [all, setAll] = useState(false);
  const steps = useMemo(() => stepsOf(decomposition, issues), [decomposition, issues]);
  const count = decomposition.subgoals.length;
  const shown = all
    ? steps
    : steps
        .slice(0, shownSteps)
        .map((step) => ({ ...step, subgoals: step.subgoals.slice(0, shownSubgoals) }));
  const isCut = !all && shown.reduce((sum, { subgoals }) => sum + subgoals.length, 0) < count;
  return (
    <>
      <Block title="Goal">
        {decomposition.goal === '' ? (
          <p className="text-ink-3">No goal was given.</p>
        ) : (
          <LongText text={decomposition.goal} />
        )}
      </Block>
      <Block
        title="Subgoals"
        aside={
          <span className="text-12 text-ink-3">
            {count.toLocaleString('en')}, in order of execution
          </span>
        }
      >
        {count === 0 ? <p className="text-ink-2">There is no subgoal.</p> : null}
        <div className="grid gap-1 pb-3 empty:hidden">
          {issues.filter(isAboutOrder).map((issue, at) => (
            <IssueLine key={at} issue={issue} />
          ))}
        </div>
        <div className="grid gap-4">
          {shown.map((step, at) => (
            <Step key={at} step={step} number={at + 1} isOnly={decomposition.order.length === 0} />
          ))}
        </div>
        {isCut ? (
          <div className="pt-3">
            <Button onClick={() => setAll(true)}>
              Show all {count.toLocaleString('en')} subgoals
            </Button>
          </div>
        ) : null}
      </Block>
    </>
  );
}

function Step({
  step: { parallel, subgoals, unknown },
  number,
  isOnly,
}: {
  step: PlanStep;
  number: number;
  isOnly: boolean;
}) {
  const title =
    parallel === null
      ? isOnly
        ? 'No order was given'
        : 'In no step'
      : `Step ${number}, ${parallel ? 'at the same time' : 'one after another'}`;
  return (
    <section>
      <h3 className="text-12 text-ink-3 pb-2">{title}</h3>
      {unknown.length === 0 ? null : (
        <p className="flex items-start gap-2 pb-2 [overflow-wrap:anywhere]">
          <span className="pt-[3px]">
            <VerdictIcon state="failed" />
          </span>
          <VisibleText text={`names unknown subgoals: ${unknown.join(', ')}`} />
        </p>
      )}
      <ol
        className={`grid gap-2 ${parallel === true ? 'border-accent' : 'border-line-strong'} border-l-2 pl-3`}
      >
        {subgoals.map((placed) => (
          <Subgoal key={placed.index} placed={placed} />
        ))}
      </ol>
    </section>
  );
}

function Subgoal({ placed: { subgoal, issues } }: { placed: PlacedSubgoal }) {
  const { id, description, agent, dependsOn, requires } = subgoal;
  const facts = [
    dependsOn.length === 0 ? null : `after ${dependsOn.join(', ')}`,
    requires.length === 0 ? null : `requires ${requires.join(', ')}`,
  ].filter((fact) => fact !== null);
  return (
    <li className="grid min-w-0 gap-0.5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
        <span className="[overflow-wrap:anywhere]">
          <code className="text-12 font-mono">
            <VisibleText text={id === '' ? '(no id)' : id} />
          </code>{' '}
          {description === '' ? (
            <span className="text-ink-3">No description</span>
          ) : (
            <VisibleText text={description} />
          )}
        </span>
        <span className="text-12 text-ink-2 max-w-40 text-right [overflow-wrap:anywhere]">
          {agent === null ? 'no agent' : <VisibleText text={agent} />}
        </span>
      </div>
      {facts.length === 0 ? null : (
        <p className="text-12 text-ink-3 [overflow-wrap:anywhere]">
          <VisibleText text={facts.join(' · ')} />
        </p>
      )}
      {issues.map((issue, at) => (
        <IssueLine key={at} issue={issue} />
      ))}
    </li>
  );
}

const isAboutOrder = ({ path }: Issue): boolean => path?.includes('execution_order') ?? false;

function IssueLine({ issue: { severity, message } }: { issue: Issue }) {
  return (
    <p className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
      <span className="pt-[3px]">
        <VerdictIcon state={severity === 'low' ? 'needs_review' : 'failed'} />
      </span>
      <span className="[overflow-wrap:anywhere]">
        <VisibleText text={message} />
      </span>
    </p>
  );
}
