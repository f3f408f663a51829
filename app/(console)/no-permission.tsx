import { Empty, Panel } from '../_ui/panel';
import { PageHead } from '../_ui/page-head';

/** The fourth empty case of ui.md: the page exists, but this role may not see it. */
export function NoPermission({ title, role }: { title: string; role: string }) {
  return (
    <>
      <PageHead title={title} />
      <Panel title="No permission">
        <Empty title={`Your role in this project, ${role}, has no access to this page.`}>
          <p>An owner or an admin can change your role under Members.</p>
        </Empty>
      </Panel>
    </>
  );
}
