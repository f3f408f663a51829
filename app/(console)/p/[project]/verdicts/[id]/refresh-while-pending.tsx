import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Poll interval of a page without a verdict, since no event announces that work was claimed. */
const everyMs = 5_000;

export function RefreshWhilePending() {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), everyMs);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
