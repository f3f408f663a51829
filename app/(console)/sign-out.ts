'use client';

/**
 * Leaves for good: the page is loaded anew, so that nothing read under the session stays in memory.
 */
export async function signOut(): Promise<void> {
  await fetch('/api/auth/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  window.location.assign('/sign-in');
}
