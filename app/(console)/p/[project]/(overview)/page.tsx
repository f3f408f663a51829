import type { Metadata } from 'next';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { FirstTurn } from './first-turn';
import { OverviewPanels } from './overview-panels';
import { readDays } from './period';
import { SetupAgain, SetupPanel } from './setup-panel';

export const metadata: Metadata = { title: 'Overview' };

const noSetup = { panel: null, again: null };

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<{ days?: string | string[] }>;
}

export default async function OverviewPage({ params, searchParams }: Props) {
  const [{ project: slug }, { days }] = await Promise.all([params, searchParams]);
  const period = readDays(days);
  const input = { project: slug, days: period };
  const [project, overview, changes, trusts, board, setup, history, marks] = await Promise.all([
    loadProject(slug),
    load((caller) => caller.verdicts.overview(input)),
    // Loaded separately: on failure the browser retries, and everything else is shown.
    load((caller) => caller.verdicts.changes(input)).catch(() => null),
    load((caller) => caller.trust.list({ project: slug })).catch(() => null),
    load((caller) => caller.alerts.board({ project: slug })).catch(() => null),
    load((caller) => caller.setup.get({ project: slug })).catch(() => null),
    load((caller) => caller.charts.history(input)).catch(() => null),
    load((caller) => caller.charts.marks(input)).catch(() => null),
  ]);
  if (overview.lastVerdictAt === null && overview.turns === 0)
    return <FirstTurn project={project} setup={setup} />;
  // A demo project was set up by its script, so it has no setup steps.
  const steps = { project, initial: setup };
  const setupPanels = project.simulated
    ? noSetup
    : { panel: <SetupPanel {...steps} />, again: <SetupAgain {...steps} /> };
  return (
    <OverviewPanels
      project={slug}
      days={period}
      first={{
        overview,
        changes,
        trusts,
        board,
        history: history === null || marks === null ? null : { history, marks },
      }}
      mayAcknowledge={may(project, 'labels.write')}
      setup={setupPanels}
    />
  );
}
