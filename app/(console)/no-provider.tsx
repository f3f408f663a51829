import Link from 'next/link';

/** The steps that are needed before a model can be chosen. */
export function NoProvider({ project }: { project: string }) {
  return (
    <p className="text-ink-2">
      No model provider configured. Add one under{' '}
      <Link href={`/p/${project}/settings/providers`} className="underline">
        Providers
      </Link>
      .
    </p>
  );
}
