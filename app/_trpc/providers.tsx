'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
} from '@trpc/client';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, useState } from 'react';
import superjson from 'superjson';
import type { AppRouter } from '@/server/api/trpc';
import { TRPCProvider } from './client';

const url = '/api/trpc';

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // The server would refuse again, so only temporary failures are retried.
        retry: (failures, error) => {
          const status = error instanceof TRPCClientError ? Number(error.data?.httpStatus ?? 0) : 0;
          return failures < 2 && (status === 0 || status >= 500);
        },
      },
    },
  });
}

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(makeQueryClient);
  const [trpcClient] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        splitLink({
          condition: (op) => op.type === 'subscription',
          true: httpSubscriptionLink({ url, transformer: superjson }),
          false: splitLink({
            // The one call whose answer is shown as it arrives.
            condition: (op) => op.path === 'playground.answer',
            true: httpBatchStreamLink({ url, transformer: superjson, maxItems: 1 }),
            false: httpBatchLink({ url, transformer: superjson, maxURLLength: 4000 }),
          }),
        }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <NuqsAdapter>{children}</NuqsAdapter>
      </TRPCProvider>
    </QueryClientProvider>
  );
}
