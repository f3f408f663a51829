import type { VerdictDetail, VerdictSubject } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, LongText } from '../block';
import { ScoreList } from '../score-list';
import type { SortedScores } from './criterion-scores';
import { FollowsBlock, JudgeBlock, OriginBlock } from './fact-blocks';
import { ProjectVerifierBlock } from './project-verifier-block';
import { MeasuredItem } from './measured-item';
import { plainNumber } from './words';

interface JudgedColumnProps {
  project: string;
  verdict: VerdictDetail;
  subject: VerdictSubject;
  sorted: SortedScores;
}

/** The reasons for the verdict: unmet criteria first, then the findings and the feedback. */
export function JudgedColumn({ project, verdict, subject, sorted }: JudgedColumnProps) {
  const { detail } = subject;
  const { criteria } = sorted;
  return (
    <>
      {criteria.length > 0 ? (
        <Block
          title="Scores by criterion"
          aside={<span className="text-12 text-ink-3">{metText(criteria)}</span>}
        >
          <ol aria-label="Scores by criterion" className="grid gap-px">
            {unmetFirst(criteria).map(({ criterion, title, placed }, at) => (
              <MeasuredItem
                key={at}
                project={project}
                title={title}
                placed={placed}
                weight={criterion.weight}
                mustPass={criterion.mustPass}
              />
            ))}
          </ol>
        </Block>
      ) : null}
      {subject.content.criteria === null ? (
        <QualityBlock {...{ project, verdict, subject, sorted }} />
      ) : null}
      {subject.custom === null ? null : <ProjectVerifierBlock own={subject.custom} />}
      <FailureBlock failures={detail.failures} />
      <PairBlock pairs={detail.pairs} />
      <IssueBlock issues={verdict.issues} />
      {detail.summary === null ? null : (
        <Block title="Summary">
          <LongText text={detail.summary} />
          {detail.weakest.length === 0 ? null : (
            <div className="grid gap-1 pt-3">
              <h3 className="text-12 text-ink-3">Weakest</h3>
              <ul className="grid gap-1">
                {detail.weakest.map(({ taskId, reason }, at) => (
                  <li key={at} className="[overflow-wrap:anywhere]">
                    <VisibleText text={taskId} />
                    <p className="text-ink-2">
                      <VisibleText text={reason} />
                    </p>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </Block>
      )}
      {verdict.feedback === null ? null : (
        <Block title="Feedback for the author">
          <LongText text={verdict.feedback} />
        </Block>
      )}
    </>
  );
}

/** A judge's measurements besides the criteria of a task; without criteria, they decide. */
function QualityBlock({ project, subject, sorted: { qualities } }: JudgedColumnProps) {
  const title = subject.content.criteria === null ? 'Judged' : 'Qualities';
  const format = subject.detail.qualities.find(([name]) => name === 'format');
  if (qualities.length === 0 && format === undefined) return null;
  return (
    <Block
      title={title}
      aside={
        title === 'Judged' ? null : (
          <span className="text-12 text-ink-3">not part of the score</span>
        )
      }
    >
      <ul aria-label={title} className="grid gap-px">
        {qualities.map(({ index, score }) => (
          <MeasuredItem
            key={index}
            project={project}
            title={score.name}
            placed={{ index, score }}
            weight={score.weight}
            mustPass={score.must_pass}
            weighted={false}
          />
        ))}
      </ul>
      {format === undefined ? null : (
        <p className="text-ink-2">
          format {plainNumber(format[1])}: the share of checks that passed
        </p>
      )}
    </Block>
  );
}

/** The measurements that did not decide, the next step, the judges and the origin. */
export function JudgedDetails({ project, verdict, subject, sorted }: JudgedColumnProps) {
  const { others } = sorted;
  return (
    <>
      {subject.content.criteria !== null ? (
        <QualityBlock {...{ project, verdict, subject, sorted }} />
      ) : null}
      {others.length > 0 && !showsScores(subject) ? (
        <Block title="Other measurements">
          <ScoreList scores={others.map(({ score }) => score)} />
        </Block>
      ) : null}
      <FollowsBlock project={project} verdict={verdict} subject={subject} />
      <JudgeBlock project={project} verdict={verdict} subject={subject} />
      <OriginBlock project={project} verdict={verdict} subject={subject} />
    </>
  );
}

/** Not met, then not decided, then met; each in the order of the task. */
function unmetFirst(criteria: SortedScores['criteria']): SortedScores['criteria'] {
  const rank = (met: boolean | null | undefined) => (met === false ? 0 : met === true ? 2 : 1);
  return criteria.toSorted((a, b) => rank(a.placed?.score.met) - rank(b.placed?.score.met));
}

/** Checks and functions: their block already lists all scores. */
const showsScores = ({ custom }: VerdictSubject): boolean =>
  custom !== null && custom.findings !== 'judge';

function metText(criteria: SortedScores['criteria']): string {
  const met = criteria.filter(({ placed }) => placed?.score.met === true).length;
  return `${met}/${criteria.length} met`;
}

function FailureBlock({ failures }: { failures: VerdictSubject['detail']['failures'] }) {
  if (failures.length === 0) return null;
  return (
    <Block title="Checks that failed">
      <ul className="grid gap-2">
        {failures.map((failure, at) => (
          <li key={at} className="[overflow-wrap:anywhere]">
            <VisibleText text={failure.criterion} />
            {failure.mustPass ? <span className="text-12 text-ink-3"> must pass</span> : null}
            <p className="text-ink-2">
              <VisibleText text={failure.reason} />
            </p>
          </li>
        ))}
      </ul>
    </Block>
  );
}

export function IssueBlock({ issues }: { issues: VerdictDetail['issues'] }) {
  if (issues.length === 0) return null;
  return (
    <Block title="Issues">
      <ul className="grid gap-2">
        {issues.map((issue, at) => (
          <li key={at} className="[overflow-wrap:anywhere]">
            <span className="text-12 text-ink-3">{issue.severity}</span>{' '}
            <VisibleText text={issue.message} />
            {issue.path === null ? null : (
              <>
                {' '}
                <code className="text-12 font-mono">
                  <VisibleText text={issue.path} />
                </code>
              </>
            )}
          </li>
        ))}
      </ul>
    </Block>
  );
}

/** How well each pair of outputs fits together, the worst first. */
function PairBlock({ pairs }: { pairs: VerdictSubject['detail']['pairs'] }) {
  if (pairs.length === 0) return null;
  const worstFirst = pairs.toSorted((a, b) => (a.score ?? -1) - (b.score ?? -1));
  return (
    <Block title="Pairs" aside={<span className="text-12 text-ink-3">{pairs.length}</span>}>
      <ul aria-label="Pairs" className="grid gap-2">
        {worstFirst.map((pair, at) => (
          <li key={at} className="grid gap-0.5">
            <p className="flex flex-wrap items-baseline justify-between gap-x-2">
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <VisibleText text={pair.a} /> <span className="text-ink-3">and</span>{' '}
                <VisibleText text={pair.b} />
              </span>
              <span>{pair.score === null ? 'not measured' : plainNumber(pair.score)}</span>
            </p>
            {pair.issues.map((issue, number) => (
              <p key={number} className="text-ink-2 [overflow-wrap:anywhere]">
                <span className="text-12 text-ink-3">{issue.severity}</span>{' '}
                <VisibleText text={issue.description} />
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Block>
  );
}
