import type { DestinationSends } from '@/server/deliveries/input';

export const sendsWords: Record<DestinationSends, string> = {
  verdicts: 'Verdicts',
  alerts: 'Alerts',
  reports: 'Reports',
};
