'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Score } from '@/server/domain';
import type { VerdictState } from '@/app/_ui/verdict-styles';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { costText } from '../../../traces/amounts';
import type { PlacedScore } from './criterion-scores';
import { scoreId, useQuoteLinking } from './quote-linking';
import { plainNumber } from './words';

const stateText = { unscored: 'not measured', failed: 'evaluator failed' } as const;

function stateOf(score: Score | null): VerdictState {
  if (score === null) return 'skipped';
  if (score.state === 'scored') return score.met ? 'passed' : 'failed';
  return score.state === 'unscored' ? 'skipped' : 'inconclusive';
}

interface MeasuredItemProps {
  project: string;
  title: string;
  placed: PlacedScore | null;
  weight: number;
  mustPass: boolean;
  /** Whether the weight has a meaning: qualities and screens have none. */
  weighted?: boolean;
}

/**
 * One measurement: the question, the finding with its reason, the evaluator, and the quoted
 * passages.
 */
export function MeasuredItem({
  project,
  title,
  placed,
  weight,
  mustPass,
  weighted = true,
}: MeasuredItemProps) {
  const { active } = useQuoteLinking();
  const score = placed?.score ?? null;
  return (
    <li
      id={placed === null ? undefined : scoreId(placed.index)}
      tabIndex={-1}
      className={`rounded-4 -mx-1 grid grid-cols-[16px_minmax(0,1fr)] gap-x-2 px-1 py-1.5 ${placed !== null && active === placed.index ? 'bg-accent-wash' : ''}`}
    >
      <span className="pt-[3px]">
        <VerdictIcon state={stateOf(score)} />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-2">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <VisibleText text={title} />
          </span>
          <span>
            {score === null
              ? 'not measured'
              : score.state === 'scored'
                ? plainNumber(score.value)
                : stateText[score.state]}
          </span>
        </p>
        <p className="text-12 text-ink-3">
          {score?.met === true ? 'met' : score?.met === false ? 'not met' : 'not decided'}
          {mustPass ? ' · must pass' : ''}
          {weighted ? ` · weight ${plainNumber(weight)}` : ''}
        </p>
        {score?.reasoning ? (
          <p className="text-ink-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
            <VisibleText text={score.reasoning} />
          </p>
        ) : null}
        {placed === null ? null : <Quotes placed={placed} />}
        {score === null ? null : <By project={project} score={score} />}
      </div>
    </li>
  );
}

/** Passages of the work; only the first few, since the text shows all. */
const shown = 5;

function Quotes({ placed: { index, score } }: { placed: PlacedScore }) {
  const { toQuote } = useQuoteLinking();
  const quotes = score.evidence.filter(({ kind }) => kind === 'quote');
  if (quotes.length === 0) return null;
  return (
    <ul className="grid gap-0.5">
      {quotes.slice(0, shown).map((quote, at) => (
        <li key={at}>
          <button
            type="button"
            onClick={() => toQuote(index, quote.ref)}
            className="text-12 border-line-strong max-w-full truncate border-l-2 pl-2 text-left hover:underline"
            title={plainText(quote.text ?? quote.ref)}
          >
            <VisibleText text={quote.text ?? quote.ref} />
            <span className="sr-only">, go to it in the text</span>
          </button>
        </li>
      ))}
      {quotes.length > shown ? (
        <li className="text-12 text-ink-3">and {quotes.length - shown} more in the text</li>
      ) : null}
    </ul>
  );
}

/** The evaluator, model and prompt, and the cost. */
function By({ project, score }: { project: string; score: Score }) {
  const parts: ReactNode[] = [
    <code key="evaluator" className="font-mono">
      <VisibleText text={score.evaluator} />
    </code>,
    ...(score.model === null
      ? []
      : [
          <code key="model" className="font-mono">
            <VisibleText text={score.model} />
          </code>,
        ]),
    ...(score.prompt_version === null
      ? []
      : [<PromptLink key="prompt" project={project} version={score.prompt_version} />]),
    ...(score.cost_usd > 0 ? [<span key="cost">{costText(score.cost_usd)}</span>] : []),
    ...(score.cached ? [<span key="cached">reused from an identical question</span>] : []),
  ];
  return (
    <p className="text-12 text-ink-3 flex flex-wrap gap-x-2 [overflow-wrap:anywhere]">{parts}</p>
  );
}

/** `task-rubric@4` links to that version's text. */
export function PromptLink({ project, version }: { project: string; version: string }) {
  const [slug = '', number = ''] = version.split('@');
  const href = `/p/${project}/prompts/${encodeURIComponent(slug)}${/^\d+$/.test(number) ? `?version=${number}` : ''}`;
  return (
    <Link href={href} prefetch={false} className="font-mono underline">
      <VisibleText text={version} />
    </Link>
  );
}
