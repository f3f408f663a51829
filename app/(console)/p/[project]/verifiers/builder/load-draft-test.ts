import { TRPCError } from '@trpc/server';
import { load } from '@/app/_trpc/server';
import type { DraftTry } from '@/app/_trpc/outputs';

/** The draft test in the URL; null if there is none, or it has expired. */
export async function loadDraftTest(
  project: string,
  id: string | string[] | undefined,
): Promise<DraftTry | null> {
  if (typeof id !== 'string') return null;
  return load(async (caller) => {
    try {
      return await caller.verifiers.tried({ project, id });
    } catch (error) {
      if (error instanceof TRPCError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN'))
        return null;
      throw error;
    }
  });
}
