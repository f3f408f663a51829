import Link from 'next/link';
import type { DecisionState } from '@/server/domain';
import { Cell, DataTable, NameCell, Row } from './data-table';
import { Moment } from './moment';
import { plainText, VisibleText } from './visible-text';

/** The action of a rule, in a word. */
export const decisionWords: Record<DecisionState, string> = {
  run: 'Sent to its verifier',
  filtered: 'Filtered out',
  sampled_out: 'Sampled out',
  duplicate: 'Duplicate',
  bypassed: 'Bypassed',
  over_budget: 'Over budget',
  blocked: 'Blocked',
  no_subject: 'Nothing to verify',
  failed: 'Failed',
  expired: 'Expired',
};

/** One decision as this list shows it. */
export interface ShownDecision {
  readonly subjectId: string;
  readonly subjectKind: string;
  readonly revision: number;
  readonly rule: string;
  readonly ruleVersion: number;
  readonly verifier: string;
  readonly state: DecisionState;
  readonly reason: string | null;
  readonly verdictId: string | null;
  readonly settled: boolean;
  readonly decidedAt: Date;
}

interface DecisionListProps {
  readonly project: string;
  readonly decisions: readonly ShownDecision[];
  /**
   * The part that all decisions share, which is not repeated: the rule on a rule's page, the
   * subject on a turn's page.
   */
  readonly of: 'rule' | 'subject';
}

const idOf = ({ subjectId, revision, rule }: ShownDecision): string =>
  `${subjectId} ${revision} ${rule}`;

/**
 * Why there is a verdict, or none: the decisions of rules about a subject, or of a rule about its
 * subjects.
 */
export function DecisionList({ project, decisions, of }: DecisionListProps) {
  const heads = [of === 'rule' ? 'Subject' : 'Rule', 'State', 'Reason', 'Verdict', 'When'];
  return (
    <DataTable label="Decisions" heads={heads} ids={decisions.map(idOf)}>
      {decisions.map((decision) => (
        <Row key={idOf(decision)}>
          <NameCell>
            {of === 'rule' ? (
              <Subject project={project} decision={decision} />
            ) : (
              <RuleName decision={decision} />
            )}
          </NameCell>
          <Cell>{decisionWord(decision)}</Cell>
          <td
            className="max-w-96 truncate px-4 whitespace-nowrap"
            title={decision.reason === null ? undefined : plainText(decision.reason)}
          >
            {decision.reason === null ? (
              <span className="text-ink-3">none</span>
            ) : (
              <VisibleText text={decision.reason} />
            )}
          </td>
          <Cell>
            {decision.verdictId === null ? (
              <span className="text-ink-3">none</span>
            ) : (
              <Link
                href={`/p/${project}/verdicts/${encodeURIComponent(decision.verdictId)}`}
                className="underline"
              >
                {decision.settled ? 'Verdict' : 'Waiting'}
              </Link>
            )}
          </Cell>
          <Cell>
            <Moment at={decision.decidedAt} />
          </Cell>
        </Row>
      ))}
    </DataTable>
  );
}

/** Its current state, in a word. */
export function decisionWord({ state, settled }: Pick<ShownDecision, 'state' | 'settled'>): string {
  return state === 'run' && settled ? 'Verified' : decisionWords[state];
}

function Subject({ project, decision }: { project: string; decision: ShownDecision }) {
  const text = (
    <code className="text-12 font-mono">
      <VisibleText text={decision.subjectId} />
    </code>
  );
  const revision =
    decision.revision > 1 ? (
      <span className="text-ink-3"> revision {decision.revision}</span>
    ) : null;
  if (decision.subjectKind !== 'turn')
    return (
      <>
        {text}
        {revision}
      </>
    );
  return (
    <>
      <Link
        href={`/p/${project}/turns/${encodeURIComponent(decision.subjectId)}`}
        className="underline"
      >
        {text}
      </Link>
      {revision}
    </>
  );
}

function RuleName({ decision }: { decision: ShownDecision }) {
  return (
    <>
      {decision.rule} <span className="text-ink-3">version {decision.ruleVersion}</span>
      {decision.revision > 1 ? (
        <span className="text-ink-3">, revision {decision.revision}</span>
      ) : null}
    </>
  );
}
