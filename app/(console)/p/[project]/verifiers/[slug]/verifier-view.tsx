'use client';

import Link from 'next/link';
import { Crumbs } from '@/app/(console)/crumbs';
import type {
  Measure,
  PromptSummary,
  Threshold,
  VerdictRow,
  VerifierPage,
} from '@/app/_trpc/outputs';
import { buttonClass } from '@/app/_ui/button';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, Panel } from '@/app/_ui/panel';
import type { Days } from '@/server/measures/input';
import { rowsHref, verifierHref } from '../../calibration/addresses';
import { MeasureText } from '../../calibration/measure-text';
import { VerdictTable } from '../../verdicts/verdict-table';
import { ruleOf } from '../kinds';
import { ConfigPanel } from './config-panel';
import { CostPanel } from './cost-panel';
import { LengthPanel } from './length-panel';
import { PlanPanel } from './plan-panel';
import { PromptPanel } from './prompt-panel';
import { ThresholdPanel } from './threshold-panel';
import { TrustPanel } from './trust-panel';

interface VerifierViewProps {
  project: string;
  verifier: VerifierPage;
  thresholds: Threshold[];
  prompts: readonly PromptSummary[];
  recent: readonly VerdictRow[];
  /** Null when nothing was measured. */
  overrides: { readonly days: Days; readonly from: Date | null; readonly rate: Measure } | null;
  mayWrite: boolean;
}

export function VerifierView({
  project,
  verifier,
  thresholds,
  prompts,
  recent,
  overrides,
  mayWrite,
}: VerifierViewProps) {
  const { slug, name, version, isCustom, plan, costs, length, hasModels } = verifier;
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[{ name: 'Verifiers', href: `/p/${project}/verifiers` }]}
            pageName={name}
          />
        }
        title={name}
        sub={
          <>
            {verifier.description} <code className="text-12 font-mono">{`${slug}@${version}`}</code>
          </>
        }
      >
        {isCustom && mayWrite ? (
          <div className="flex gap-2">
            <Link
              href={`/p/${project}/verifiers/new?from=${encodeURIComponent(slug)}`}
              className={buttonClass()}
            >
              Clone verifier
            </Link>
            <Link
              href={`/p/${project}/verifiers/${encodeURIComponent(slug)}/edit`}
              className={buttonClass()}
            >
              Edit verifier
            </Link>
          </div>
        ) : null}
      </PageHead>
      {verifier.archived ? (
        <Panel title="Archived">
          <p className="p-4">Rules and calls do not reach it. Save its definition to restore it.</p>
        </Panel>
      ) : null}
      {prompts.length > 0 && !hasModels ? <NoProvider project={project} /> : null}
      <PlanPanel project={project} plan={plan} rule={ruleOf(verifier.kind)} />
      <TrustPanel project={project} slug={slug} mayWrite={mayWrite} />
      <ThresholdPanel project={project} verifier={slug} initial={thresholds} mayWrite={mayWrite} />
      {isCustom ? null : (
        <ConfigPanel project={project} config={verifier.config} mayWrite={mayWrite} />
      )}
      {verifier.judges === 'turns' && prompts.length === 0 ? null : (
        <PromptPanel project={project} prompts={prompts} />
      )}
      {costs === null ? null : <CostPanel costs={costs} />}
      {length === null ? null : <LengthPanel effect={length} />}
      <OverrulePanel project={project} slug={slug} overrides={overrides} />
      <RecentPanel project={project} slug={slug} recent={recent} />
    </PageBody>
  );
}

function OverrulePanel({
  project,
  slug,
  overrides,
}: Pick<VerifierViewProps, 'project' | 'overrides'> & { slug: string }) {
  const about = { project, verifier: slug, origin: 'verifier' } as const;
  const rows = (cell: 'ruled' | 'overruled') =>
    rowsHref(about, cell, { from: overrides?.from ?? null });
  return (
    <Panel
      title="Overruled by people"
      aside={
        <Link href={verifierHref(about, overrides?.days ?? 30)} className="text-12 underline">
          Calibration of {slug}
        </Link>
      }
    >
      <p className="p-4">
        Override rate, 30 days:{' '}
        {overrides === null ? (
          <span className="text-ink-3">unmeasured</span>
        ) : (
          <MeasureText
            name="override rate"
            measure={overrides.rate}
            numeratorHref={rows('overruled')}
            denominatorHref={rows('ruled')}
          />
        )}
      </p>
    </Panel>
  );
}

function RecentPanel({
  project,
  slug,
  recent,
}: Pick<VerifierViewProps, 'project' | 'recent'> & { slug: string }) {
  return (
    <Panel
      title="Recent verdicts"
      aside={
        <Link
          href={`/p/${project}/verdicts?verifier=${encodeURIComponent(slug)}`}
          className="text-12 underline"
        >
          All of {slug}
        </Link>
      }
    >
      {recent.length === 0 ? (
        <Empty title="No verdict yet." />
      ) : (
        <VerdictTable label="Recent verdicts" rows={recent} project={project} compact />
      )}
    </Panel>
  );
}

function NoProvider({ project }: { project: string }) {
  return (
    <Panel title="No provider configured">
      <Empty title="No model provider is configured, so its judges cannot run.">
        <p>
          Checks without a model still run. Work that needs a judge is inconclusive: neither a pass
          nor a fail. Add a model under{' '}
          <Link href={`/p/${project}/settings/providers`} className="underline">
            Settings › Providers
          </Link>
          .
        </p>
      </Empty>
    </Panel>
  );
}
