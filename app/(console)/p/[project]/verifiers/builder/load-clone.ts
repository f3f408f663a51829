import { load } from '@/app/_trpc/server';
import { type BegunDraft, freeSlug } from './draft';

/** The definition of a verifier under a slug that no other has; null if the address names none. */
export async function loadClone(
  project: string,
  slug: string | string[] | undefined,
  takenSlugs: readonly string[],
): Promise<BegunDraft | null> {
  if (typeof slug !== 'string') return null;
  const { definition } = await load((caller) => caller.verifiers.definition({ project, slug }));
  const name = typeof definition.name === 'string' ? definition.name : slug;
  const free = freeSlug(slug, takenSlugs);
  return { slug: free, definition: { ...definition, slug: free, name: `Copy of ${name}` } };
}
