import type { ReactNode } from 'react';
import type { VerdictSubject } from '@/app/_trpc/outputs';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import type { VerdictState } from '@/app/_ui/verdict-styles';
import { VisibleText } from '@/app/_ui/visible-text';
import { durationText } from '../../../traces/amounts';
import { Block, Facts, LongText } from '../block';
import { plainNumber } from './words';

type ProjectVerifierResult = NonNullable<VerdictSubject['custom']>;
type Of<Kind extends ProjectVerifierResult['findings']> = Extract<
  ProjectVerifierResult,
  { findings: Kind }
>;

/** The findings of a verifier that the project defined. */
export function ProjectVerifierBlock({ own }: { own: ProjectVerifierResult }) {
  if (own.findings === 'judge') return <JudgeFindings judge={own} />;
  if (own.findings === 'checks') return <CheckFindings results={own.results} />;
  return <FunctionFindings result={own} />;
}

function JudgeFindings({ judge }: { judge: Of<'judge'> }) {
  const { output, choice, reasoning, criteria, votes } = judge;
  const answer = choice ?? (output === null ? null : answerText(output));
  return (
    <>
      <Block title="Answer of the judge">
        <p className="font-semibold">
          {answer === null ? 'No single answer' : <VisibleText text={answer} />}
        </p>
        {reasoning === null ? null : <LongText text={reasoning} />}
      </Block>
      {criteria.length === 0 ? null : (
        <Block title="Criteria">
          <Findings label="Criteria">
            {criteria.map(({ name, met, value, choice, reasoning, must_pass: required }, at) => (
              <Finding
                key={at}
                name={name}
                state={stateOf(met)}
                value={choice ?? valueText(value)}
                note={required ? 'must pass' : null}
                reason={reasoning}
              />
            ))}
          </Findings>
        </Block>
      )}
      {votes.length < 2 ? null : (
        <Block title="Votes">
          <Findings label="Votes">
            {votes.map(({ model, value, choice, reasoning, confidence }, at) => (
              <Finding
                key={at}
                name={model}
                state={null}
                value={choice ?? valueText(value)}
                note={`confidence ${plainNumber(confidence)}`}
                reason={reasoning}
              />
            ))}
          </Findings>
        </Block>
      )}
    </>
  );
}

function CheckFindings({ results }: { results: Of<'checks'>['results'] }) {
  const met = results.filter((result) => result.met === true).length;
  return (
    <Block
      title="Checks"
      aside={
        <span className="text-12 text-ink-3">
          {met}/{results.length} met
        </span>
      }
    >
      <Findings label="Checks">
        {results.map(({ name, met, value, state, reasoning, field }, at) => (
          <Finding
            key={at}
            name={name}
            state={state === 'failed' ? 'inconclusive' : stateOf(met)}
            value={state === 'failed' ? 'check failed to run' : valueText(value)}
            note={field}
            reason={reasoning}
          />
        ))}
      </Findings>
    </Block>
  );
}

function FunctionFindings({ result }: { result: Of<'function'> }) {
  const { label, reason, metadata, stdout, duration_ms: duration, scores, error } = result;
  return (
    <Block title="Result of the function">
      <div className="grid gap-3">
        <Facts
          list={[
            ...(error === null ? [] : [['Error', errorText(error)] as const]),
            ...(label === null
              ? []
              : [['Label', <VisibleText key="label" text={label} />] as const]),
            ...(duration === null ? [] : [['Duration', durationText(duration)] as const]),
          ]}
        />
        {reason === null ? null : <LongText text={reason} />}
        {scores.length === 0 ? null : (
          <Findings label="Scores">
            {scores.map(({ name, score, label, reason, must_pass: required }, at) => (
              <Finding
                key={at}
                name={name === '' ? `Score ${at + 1}` : name}
                state={null}
                value={valueText(score)}
                note={[label, required ? 'must pass' : null].filter(Boolean).join(' · ') || null}
                reason={reason}
              />
            ))}
          </Findings>
        )}
        {metadata == null ? null : (
          <Text title="Metadata" text={JSON.stringify(metadata, null, 2)} />
        )}
        {stdout === '' ? null : <Text title="Printed" text={stdout} />}
      </div>
    </Block>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <div className="grid gap-1">
      <h3 className="text-12 text-ink-3">{title}</h3>
      <LongText text={text} mono />
    </div>
  );
}

function Findings({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol aria-label={label} className="grid gap-2">
      {children}
    </ol>
  );
}

interface FindingProps {
  name: string;
  /** Null if it is not met or missed by itself. */
  state: VerdictState | null;
  value: string;
  note: string | null;
  reason: string | null;
}

function Finding({ name, state, value, note, reason }: FindingProps) {
  return (
    <li className="grid min-w-0 gap-0.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-2">
        <span className="flex min-w-0 items-baseline gap-2 [overflow-wrap:anywhere]">
          {state === null ? null : <VerdictIcon state={state} />}
          <VisibleText text={name} />
        </span>
        <VisibleText text={value} />
      </p>
      {note === null ? null : (
        <p className="text-12 text-ink-3 [overflow-wrap:anywhere]">
          <VisibleText text={note} />
        </p>
      )}
      {reason === null || reason === '' ? null : <LongText text={reason} />}
    </li>
  );
}

function stateOf(met: boolean | null): VerdictState {
  if (met === null) return 'skipped';
  return met ? 'passed' : 'failed';
}

const valueText = (value: number | null): string =>
  value === null ? 'no value' : plainNumber(value);

function answerText(output: boolean | number | string): string {
  if (typeof output === 'boolean') return output ? 'yes' : 'no';
  return typeof output === 'number' ? plainNumber(output) : output;
}

const errorText = ({ message, line }: { message: string; line: number | null }) => (
  <VisibleText text={line === null ? message : `line ${line}: ${message}`} />
);
