export { claimDeliveries, type ClaimedDelivery, listenForDeliveries } from './claim';
export { createDestination, findFirstSecret } from './create';
export { deleteDestination } from './delete';
export type { Destination } from './destination';
export { type Delivery, type DeliveryPage, listDeliveries, listDestinations } from './list';
export { pruneDeliveries } from './note';
export { replayDelivery } from './replay';
export { sendDeliveries } from './send';
export { updateDestination } from './update';
