/** How streams reach their clients: cursors, frames, blocks of frames, and what they travel over. */
export { BlockWriter } from "./block-writer.ts";
export { EncodedItem } from "./encoded-item.ts";
export { EventSourceTransport } from "./event-source.ts";
export { cursorOf, parseCursor } from "./stream-cursor.ts";
export type { Transport, TransportEvents } from "./transport.ts";
export { StreamSocket, WebSocketTransport } from "./websocket.ts";
