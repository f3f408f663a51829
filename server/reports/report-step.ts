import { enterProject, type ProjectCtx } from '../access';
import { type Ctx, notFound } from '../platform';
import type { JobProgress, JobStep } from '../queue';
import { addCosts, costOfAll, readCosts, withCost } from './read-costs';
import { readProject } from './read-project';
import { periodOf, readVerifiers, type ReportPeriod, describeVerifier } from './read-verifiers';
import type { Report } from './report-content';
import { ReportDraft, ReportJob, storedDraft } from './report-job';
import { type ReportToMake, storeReport } from './store-report';

const dayMs = 86_400_000;

/**
 * The steps of a report: its verifiers with their rates, the costs day by day, the details of each
 * verifier, and finally the project and storing the report. Nothing is written before that, and any
 * step may be repeated after a crash.
 * @throws AssayError not_found (the report's row was deleted)
 */
export function createReportStep(ctx: Ctx): JobStep {
  return async (claimed) => {
    const project = enterProject(
      ctx,
      { id: claimed.projectId, slug: claimed.projectSlug },
      { kind: 'system', id: 'job', label: claimed.createdBy },
    );
    const report = await findReport(project, claimed.id);
    const period = periodOf(report.from, report.to);
    if (report.isMade)
      return {
        cursor: null,
        done: claimed.done,
        total: claimed.done,
        errors: [],
        result: { report: claimed.id },
      };
    if (claimed.cursor === null)
      return progressOf(
        { verifiers: await readVerifiers(project, period), days: 0, costs: [], described: 0 },
        period,
      );
    const draft = ReportDraft.parse(claimed.cursor);
    if (draft.days < dayCount(period))
      return progressOf(await addDay(project, period, draft), period);
    const next = draft.verifiers[draft.described];
    if (next !== undefined) {
      const verifiers = draft.verifiers.with(
        draft.described,
        await describeVerifier(project, period, next),
      );
      return progressOf({ ...draft, verifiers, described: draft.described + 1 }, period);
    }
    await storeReport(
      project,
      report,
      ReportJob.parse(claimed.input),
      await contentOf(project, period, draft),
    );
    const all = partsOf(draft, period);
    return { cursor: null, done: all, total: all, errors: [], result: { report: claimed.id } };
  };
}

const dayCount = ({ from, to }: ReportPeriod): number =>
  Math.round((to.getTime() - from.getTime()) / dayMs);

/** Counts the parts: verifiers, days, the details of each verifier, and storing. */
const partsOf = ({ verifiers }: ReportDraft, period: ReportPeriod): number =>
  2 + dayCount(period) + verifiers.length;

function progressOf(draft: ReportDraft, period: ReportPeriod): JobProgress {
  return {
    cursor: storedDraft(draft),
    done: 1 + draft.days + draft.described,
    total: partsOf(draft, period),
    errors: [],
    result: null,
  };
}

/** Adds one day at a time, because one statement must not scan the verdicts of all days. */
async function addDay(
  project: ProjectCtx,
  { from }: ReportPeriod,
  draft: ReportDraft,
): Promise<ReportDraft> {
  const begin = new Date(from.getTime() + draft.days * dayMs);
  const costs = await readCosts(project, begin, new Date(begin.getTime() + dayMs));
  return { ...draft, days: draft.days + 1, costs: addCosts([...draft.costs, ...costs]) };
}

type Content = Omit<Report, 'made_at' | 'is_over' | 'earlier' | 'differences'>;

async function contentOf(
  project: ProjectCtx,
  period: ReportPeriod,
  draft: ReportDraft,
): Promise<Content> {
  const costs = new Map(draft.costs.map((each) => [each.series, each]));
  const verifiers = draft.verifiers.map((reported) =>
    withCost(reported, costs.get(reported.verifier)),
  );
  const { budgetShare, ...rest } = await readProject(project, period, verifiers);
  return {
    version: 1,
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    before_from: period.before.toISOString(),
    verifiers,
    ...rest,
    costs: { ...costOfAll(draft.costs), budget_share: budgetShare },
  };
}

/** @throws AssayError not_found */
async function findReport(
  { sql, projectId }: ProjectCtx,
  id: string,
): Promise<ReportToMake & { readonly isMade: boolean }> {
  const [row] = await sql<{ title: string; from: string; to: string; made: boolean }[]>`
    select title, "from", "to", made_at is not null as made from reports where project_id = ${projectId} and id = ${id}`;
  if (row === undefined) throw notFound('report');
  return { id, title: row.title, from: new Date(row.from), to: new Date(row.to), isMade: row.made };
}
