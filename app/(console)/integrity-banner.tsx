import Link from 'next/link';
import type { Project } from '../_trpc/outputs';

/** INT-24: the switch is for emergencies, so it must be impossible to forget that it is off. */
export function IntegrityBanner({ project }: { project: Project }) {
  if (project.integrity.state === 'on') return null;
  const byEnvironment = project.integrity.offBy === 'environment';
  return (
    <section
      aria-label="Integrity is off"
      className="bg-loud border-loud-line text-ink flex flex-wrap items-center gap-x-4 gap-y-1 border-b-2 px-4 py-2 md:px-6"
    >
      <svg width="20" height="20" viewBox="0 0 16 16" aria-hidden="true" className="shrink-0">
        <path
          d="M8 1.8 15 14.2H1zM8 6.2v3.6m0 2.1v.1"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
      </svg>
      <p className="min-w-0 flex-1">
        <strong className="text-14 font-semibold">Integrity verification is off. </strong>
        Assay delivers answers unchanged: it traces and marks no figures.{' '}
        {byEnvironment
          ? 'The operator switched it off for this server (ASSAY_AI_INTEGRITY).'
          : 'It is switched off for this project.'}
      </p>
      {byEnvironment ? null : (
        <Link href={`/p/${project.slug}/settings/integrity`} className="underline">
          Open setting
        </Link>
      )}
    </section>
  );
}
