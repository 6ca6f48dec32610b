/**
 * The door of HTTP itself, which knows nothing of our endpoints: a Node server hands each request as an `Exchange` to what
 * the router has under its path, and every exchange ends with an answer or a problem document.
 */
export { sendAnswer } from "./answer.ts";
export { BrokenLine, ClientGone, readBytes, readJsonBody } from "./body.ts";
export { Closing } from "./closing.ts";
export { EncodedBody, weakTag } from "./encoded-body.ts";
export { apiErrorOf } from "./error-mapping.ts";
export { type RequestWatch, serverOf } from "./node-server.ts";
export { mountPage } from "./page.ts";
export { Router } from "./router.ts";
