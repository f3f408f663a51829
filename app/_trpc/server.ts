import 'server-only';
import { TRPCError } from '@trpc/server';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { serverCaller } from '@/server/api/trpc/caller';

type Caller = Awaited<ReturnType<typeof serverCaller>>;

/**
 * An error whose digest is the request id: Next hides messages of server errors, and shows only the
 * digest.
 */
class PageError extends Error {
  readonly digest: string;
  constructor(cause: unknown, digest: string) {
    super('page data could not be read', { cause });
    this.digest = digest;
  }
}

/**
 * Loads a page's data as the signed-in person. Without a session, it redirects to the sign-in page,
 * which leads back here. Data that the person may not see looks nonexistent: the same not-found
 * page as for a random id (S-2).
 */
export async function load<T>(read: (caller: Caller) => Promise<T>): Promise<T> {
  try {
    return await read(await serverCaller());
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    const head = await headers();
    if (error.code === 'UNAUTHORIZED') {
      redirect(`/sign-in?next=${encodeURIComponent(head.get('x-assay-path') ?? '/')}`);
    }
    if (error.code === 'NOT_FOUND' || error.code === 'BAD_REQUEST') notFound();
    throw new PageError(error, head.get('x-request-id') ?? 'unknown');
  }
}

export const loadMe = cache(() => load((caller) => caller.account.me()));

export const loadProject = cache((project: string) =>
  load((caller) => caller.projects.get({ project })),
);
