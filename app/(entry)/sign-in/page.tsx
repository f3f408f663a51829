import type { Metadata } from 'next';
import { ownPath } from '@/app/own-path';
import { SignInForm } from './sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

interface Props {
  searchParams: Promise<{ next?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: Props) {
  const { next } = await searchParams;
  return (
    <>
      <h1>Sign in</h1>
      <SignInForm next={ownPath(Array.isArray(next) ? next[0] : next)} />
      <p className="text-12 text-ink-3">
        No account yet? The start of Assay prints a link that makes the owner’s, and{' '}
        <code className="font-mono">assay owner-link</code> prints it again. Everybody else is
        invited to a project.
      </p>
    </>
  );
}
