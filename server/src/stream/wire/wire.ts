/** How streams reach their clients: cursors, frames, blocks of frames, and transports. */
export { BlockWriter } from "./block-writer.ts";
export { EncodedItem } from "./encoded-item.ts";
export { EventSourceTransport } from "./event-source.ts";
export { boundInbound } from "./inbound.ts";
export type { Transport, TransportEvents } from "./transport.ts";
export { StreamSocket, WebSocketTransport } from "./websocket.ts";
