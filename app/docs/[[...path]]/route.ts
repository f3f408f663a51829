import { join } from 'node:path';
import { answerDocs } from '@/server/api/http';

export const dynamic = 'force-dynamic';

/** The documentation, as `npm run docs` built it; it needs no sign-in. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ path?: string[] }> },
): Promise<Response> {
  const { path = [] } = await params;
  const folder = join(/* turbopackIgnore: true */ process.cwd(), 'dist', 'docs');
  return answerDocs(folder, path.map(decoded).join('/'));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
