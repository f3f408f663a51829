import type { ChangeMarks } from '@/app/_trpc/outputs';
import type { TimeMark } from '@/app/_ui/chart-marks';
import { plainText } from '@/app/_ui/visible-text';
import { actionText } from './(overview)/change-words';
import { thresholdHref } from './thresholds/addresses';

type ChangeMark = ChangeMarks['marks'][number];

/** A configuration change as a mark on a time axis. */
export function asTimeMark(project: string, { id, at, action, target }: ChangeMark): TimeMark {
  return {
    id,
    at,
    text: target === null ? actionText(action) : `${actionText(action)}: ${plainText(target)}`,
    href: hrefOf(project, action, target),
  };
}

/** The page that shows the change; null for an action unknown to this release. */
function hrefOf(project: string, action: string, target: string | null): string | null {
  const base = `/p/${project}`;
  const name = target ?? '';
  const [before = '', after = ''] = name.split('/');
  switch (action) {
    case 'prompts.promote':
      return `${base}/prompts/${encodeURIComponent(name.split('@')[0] ?? '')}`;
    case 'thresholds.update':
    case 'thresholds.undo':
      return thresholdHref(project, { verifier: before, key: after });
    case 'verifiers.update':
      return `${base}/verifiers/${encodeURIComponent(name)}`;
    case 'trust.settings':
    case 'labels.policy':
      return `${base}/calibration/verifier?verifier=${encodeURIComponent(name)}`;
    case 'rules.update':
      return `${base}/rules`;
    case 'providers.put':
    case 'providers.delete':
      return `${base}/settings/providers`;
    case 'settings.mission':
      return `${base}/verdicts?mission=${encodeURIComponent(name)}`;
    case 'settings.update':
      return `${base}/settings/judging`;
    default:
      return null;
  }
}
