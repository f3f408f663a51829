export { claimDeliveries, type ClaimedDelivery, listenForDeliveries } from './claim';
export { countDeliveries } from './count-deliveries';
export { createDestination, findFirstSecret } from './create';
export { deleteDestination } from './delete';
export type { Destination } from './destination';
export { type Delivery, listDeliveries, listDestinations } from './list';
export { dropDestinationSecrets, freeDeliveries, pruneDeliveries } from './record-result';
export { replayDelivery } from './replay';
export { sendDeliveries } from './send';
export { sendTest } from './send-test';
export { reasonField, SlackAction } from './slack/buttons';
export { findSlackDestination, type SlackDestination } from './slack/find-destination';
export { createLinkCode, type SlackUser } from './slack/link-code';
export {
  findLinkedUser,
  linkSlackUser,
  listOwnLinks,
  readLinkOffer,
  unlinkSlackUser,
} from './slack/links';
export { isSignedBySlack } from './slack/signature';
export { slackText } from './notice-texts';
export { updateDestination } from './update';
export { type Notice, storeNotice } from './store-notice';
