import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";

export interface Certificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));

/** A certificate that vouches for itself, made anew: no private key lies in the repository. (X.509 v3, RFC 5280.) */
export function selfSigned({
  hosts,
  validUntil = new Date(Date.now() + 86_400_000),
}: {
  /** Names and IPv4 addresses. */
  readonly hosts: readonly string[];
  readonly validUntil?: Date;
}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from("Tapewire test")))));
  const alternatives = hosts.map((host) =>
    isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host)),
  );
  const subjectAltName = sequence(oid("551d11"), der(0x04, sequence(...alternatives)));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date("2024-01-01")), time(validUntil)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(subjectAltName)),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const whole = sequence(toBeSigned, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString("base64")}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(0x30, ...contents);
}

/** @param hex as it is encoded */
function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, "")}`));
}
