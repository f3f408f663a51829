import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { lastProjectCookie } from './(console)/last-project';
import { loadMe } from './_trpc/server';

export default async function Home() {
  const { projects } = await loadMe();
  const last = (await cookies()).get(lastProjectCookie)?.value;
  const project = projects.find((each) => each.slug === last) ?? projects[0];
  redirect(project ? `/p/${project.slug}` : '/projects/new');
}
