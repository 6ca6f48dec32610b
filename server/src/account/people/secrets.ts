import { createHash, randomBytes } from "node:crypto";

/** 256 random bits in 43 characters, for sessions and links. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/** The hash that is stored for a secret. 256 random bits need no salt and no slow hash. */
export const hashSecret = (secret: string): Buffer => createHash("sha256").update(secret).digest();
