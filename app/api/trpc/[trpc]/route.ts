import { handleTrpc } from '@/server/api/trpc';
import { webRuntime } from '@/server/web';

export const dynamic = 'force-dynamic';

const serve = (request: Request): Promise<Response> => handleTrpc(webRuntime(), request);

export { serve as GET, serve as POST };
