/**
 * The door of the HTTP layer, which knows nothing about our endpoints. A Node server passes each request as an `Exchange` to
 * the route of its path, and every exchange ends with a response or a problem document.
 */
export { encodedBody, problemAnswer, sendAnswer } from "./answer.ts";
export { BrokenLine, ClientGone, parseBody, readBytes, readJson, readJsonBody } from "./body.ts";
export { Closing } from "./closing.ts";
export { EncodedBody, weakTag } from "./encoded-body.ts";
export { apiErrorOf } from "./error-mapping.ts";
export { type RequestWatch, serverOf } from "./node-server.ts";
export { mountPage } from "./page.ts";
export { Router } from "./router.ts";
