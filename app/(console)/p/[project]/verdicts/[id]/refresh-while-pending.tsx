import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/**
 * How often a page without a verdict asks how far it has come: that it is taken up is told to
 * no one.
 */
const everyMs = 5_000;

export function RefreshWhilePending() {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), everyMs);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
