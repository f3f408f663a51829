import type { ProjectCtx } from '../access';
import { readVerifierName } from '../domain';
import {
  listTrustSettings,
  type Trust,
  type TrustChange,
  type TrustGap,
  type TrustMeasures,
  type TrustState,
  trustSettingsOf,
} from '../thresholds';
import { listVerifierSlugs } from '../catalog';

interface Row {
  verifier: string;
  version: number;
  judge: string;
  state: TrustState;
  gaps: TrustGap[];
  measures: TrustMeasures;
  since: string;
  looked_at: string;
}

/**
 * The current trust of every verifier of the project, by name, including verifiers without a
 * verdict. Needs two small reads.
 */
export async function listTrust(ctx: ProjectCtx): Promise<Trust[]> {
  const { sql, projectId } = ctx;
  const [slugs, settings, rows, versions] = await Promise.all([
    listVerifierSlugs(ctx, projectId),
    listTrustSettings(ctx),
    sql<Row[]>`
      select verifier_slug as verifier, version, judge, state, gaps, measures, since, looked_at from trust_states
      where project_id = ${projectId} and in_force order by verifier_slug`,
    sql<{ slug: string; version: number }[]>`
      select slug, max(version)::int as version from verifier_versions where project_id = ${projectId} group by slug`,
  ]);
  const versionOf = (slug: string): number =>
    versions.find((each) => each.slug === slug)?.version ?? 1;
  const names = new Set([...slugs, ...rows.map(({ verifier }) => verifier)]);
  return [...names].sort().map((verifier) => {
    const { slug } = readVerifierName(verifier);
    const row = rows.find((each) => each.verifier === verifier);
    const found =
      row === undefined ? uncheckedTrust(versionOf(slug)) : asFound(row, versionOf(slug));
    const enforced = trustSettingsOf(settings, slug).enforceTrust;
    return { verifier, ...found, enforced, mayBlock: !enforced || found.state === 'qualified' };
  });
}

type Found = Omit<Trust, 'verifier' | 'enforced' | 'mayBlock'>;

function uncheckedTrust(version: number): Found {
  const gaps = [
    { what: 'labels', text: 'It has no verdict with a label yet.', have: 0, need: null } as const,
  ];
  return {
    version,
    judge: null,
    state: 'unmeasured',
    gaps,
    measures: null,
    since: null,
    checkedAt: null,
  };
}

/** A version newer than the last check has unknown trust; whether it is enforced is unknown too. */
function asFound(
  { version, judge, state, gaps, measures, since, looked_at: checkedAt }: Row,
  current: number,
): Found {
  const found = {
    judge: judge === '' ? null : judge,
    measures,
    since: new Date(since),
    checkedAt: new Date(checkedAt),
  };
  if (version === current) return { ...found, version, state, gaps };
  const text = `Version ${current} of the verifier is current: the evidence for version ${version} does not count.`;
  return {
    ...found,
    version: current,
    state: state === 'unmeasured' ? 'unmeasured' : 'stale',
    gaps: [{ what: 'config', text, have: null, need: null }],
    measures: null,
  };
}

/** Maximum number of listed changes, newest first. */
const changesMax = 50;

/** Changes of a verifier's trust state, newest first. */
export async function listTrustChanges(
  { sql, projectId }: ProjectCtx,
  { verifier }: { readonly verifier: string },
): Promise<TrustChange[]> {
  const rows = await sql<
    {
      id: string;
      version: number;
      judge: string;
      before: TrustState | null;
      after: TrustState;
      reason: string;
      created_at: string;
    }[]
  >`
    select id, version, judge, before, after, reason, created_at from trust_changes
    where project_id = ${projectId} and verifier_slug = ${verifier} order by created_at desc, id desc limit ${changesMax}`;
  return rows.map(({ judge, created_at: at, ...row }) => ({
    ...row,
    judge: judge === '' ? null : judge,
    at: new Date(at),
  }));
}
