import { useTrusts } from '@/app/(console)/use-trusts';
import { Panel } from '@/app/_ui/panel';
import { TrustMark } from '@/app/_ui/trust-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { subjectTargets, trustMinima } from '@/server/domain';
import type { Starter } from '@/server/catalog/input';
import { Facts } from '../../verdicts/[id]/block';
import { kindLabel, ruleOf } from '../kinds';
import type { DraftRead } from './draft';

interface AboutPanelProps {
  project: string;
  draft: DraftRead;
  /** The starter of a new verifier. */
  starter: Starter | null;
  /** Of the stored verifier; null for a new one. */
  slug: string | null;
}

/** The inputs and requirements of the draft, and how to measure its quality. */
export function AboutPanel({ project, draft: { definition }, starter, slug }: AboutPanelProps) {
  const kind = typeof definition?.kind === 'string' ? definition.kind : null;
  const variables = entriesOf(definition?.mapping);
  return (
    <Panel title="About this verifier">
      <div className="grid gap-4 p-4">
        {starter === null ? null : (
          <>
            <Part title="Needs">{starter.needs}</Part>
            <Part title="Known weaknesses">{starter.weaknesses}</Part>
          </>
        )}
        <Facts
          list={[
            ['Kind', kind === null ? 'None' : <VisibleText key="kind" text={kindLabel(kind)} />],
            ['Targets', <VisibleText key="targets" text={targetsText(definition?.targets)} />],
          ]}
        />
        {kind === null || ruleOf(kind) === '' ? null : <Part title="Verdict">{ruleOf(kind)}</Part>}
        <Part title="Variables">
          {variables.length === 0
            ? 'No mapping. Members of the subject are read by their names.'
            : null}
        </Part>
        {variables.length === 0 ? null : (
          <ul aria-label="Variables" className="text-12 grid gap-1 font-mono">
            {variables.map(([name, query]) => (
              <li key={name} className="[overflow-wrap:anywhere]">
                <VisibleText text={`${name}: ${query}`} />
              </li>
            ))}
          </ul>
        )}
        <Quality project={project} slug={slug} />
      </div>
    </Panel>
  );
}

function Quality({ project, slug }: { project: string; slug: string | null }) {
  const trust = useTrusts(project).get(slug ?? '');
  return (
    <div className="grid gap-1">
      <h3 className="font-semibold">Quality</h3>
      <div>{trust === undefined ? 'Unmeasured' : <TrustMark trust={trust} />}</div>
      <p className="text-ink-2">
        {trust?.gaps[0]?.text ??
          `It needs ${trustMinima.labels} labels, ${trustMinima.defects} of them on bad items.`}
      </p>
    </div>
  );
}

function Part({ title, children }: { title: string; children: string | null }) {
  return (
    <div className="grid gap-1">
      <h3 className="font-semibold">{title}</h3>
      {children === null ? null : <p className="text-ink-2">{children}</p>}
    </div>
  );
}

function targetsText(targets: unknown): string {
  if (!Array.isArray(targets)) return subjectTargets.join(', ');
  return targets.map(String).join(', ');
}

function entriesOf(mapping: unknown): (readonly [string, string])[] {
  if (typeof mapping !== 'object' || mapping === null) return [];
  return Object.entries(mapping).map(([name, query]) => [
    name,
    typeof query === 'string' ? query : JSON.stringify(query),
  ]);
}
