/** The chart as helm renders it, where helm is installed. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { temporaryFolder } from "../../server/test/support/process.ts";
import { root } from "./docker.ts";

export const chart = join(root, "deploy", "helm", "tapewire");

/** With CI=true a missing helm is an error; .ci/run installs it. */
export const withHelm =
  spawnSync("helm", ["version"]).status === 0 || process.env.CI === "true" ? {} : { skip: "no helm" };

const named = z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const labels = z.record(z.string().min(1), z.string().max(63));
const metadata = z.looseObject({
  name: named.max(63),
  labels,
  annotations: z.record(z.string(), z.string()).optional(),
});
const selector = z.strictObject({ matchLabels: labels });
const port = z.union([z.int().min(1).max(65_535), z.string()]);
const secretKey = z.strictObject({ name: z.string().min(1), key: z.string().min(1) });
const env = z.union([
  z.strictObject({ name: z.string(), value: z.string() }),
  z.strictObject({ name: z.string(), valueFrom: z.strictObject({ secretKeyRef: secretKey }) }),
]);
const probe = z.looseObject({
  httpGet: z.strictObject({ path: z.string().startsWith("/"), port }),
  periodSeconds: z.int().optional(),
  failureThreshold: z.int().optional(),
});
const container = z.looseObject({
  name: named,
  image: z.string().regex(/^[\w./-]+:[\w.-]+$/),
  ports: z.array(z.strictObject({ name: named, containerPort: z.int() })),
  env: z.array(env),
  ...{ startupProbe: probe, readinessProbe: probe, livenessProbe: probe },
  resources: z.looseObject({ requests: z.record(z.string(), z.string()) }),
  volumeMounts: z.array(z.strictObject({ name: named, mountPath: z.string().startsWith("/") })),
});
const pod = z.strictObject({
  metadata: z.strictObject({ labels }),
  spec: z.looseObject({
    enableServiceLinks: z.boolean().optional(),
    containers: z.tuple([container]),
    volumes: z.array(z.looseObject({ name: named })),
  }),
});
const workload = { selector, template: pod };
const claim = z.strictObject({
  metadata: z.strictObject({ name: named }),
  spec: z.strictObject({
    accessModes: z.array(z.string()).min(1),
    storageClassName: z.string().optional(),
    resources: z.strictObject({ requests: z.strictObject({ storage: z.string().regex(/^\d+[KMGT]i$/) }) }),
  }),
});
const backend = z.strictObject({
  service: z.strictObject({ name: named, port: z.strictObject({ name: named }) }),
});
const path = z.strictObject({ path: z.string().startsWith("/"), pathType: z.literal("Prefix"), backend });
const metric = z.union([
  z.strictObject({
    type: z.literal("Resource"),
    resource: z.looseObject({
      name: z.literal("cpu"),
      target: z.strictObject({ type: z.literal("Utilization"), averageUtilization: z.int() }),
    }),
  }),
  z.strictObject({
    type: z.literal("Pods"),
    pods: z.looseObject({
      metric: z.strictObject({ name: z.string() }),
      target: z.strictObject({ type: z.literal("AverageValue"), averageValue: z.string() }),
    }),
  }),
]);

/** What Kubernetes asks of each kind that the chart makes, as far as the chart sets it. */
const manifest = z.discriminatedUnion("kind", [
  z.strictObject({
    ...{ apiVersion: z.literal("apps/v1"), kind: z.literal("Deployment"), metadata },
    spec: z.strictObject({ replicas: z.int().optional(), strategy: z.looseObject({}), ...workload }),
  }),
  z.strictObject({
    ...{ apiVersion: z.literal("apps/v1"), kind: z.literal("StatefulSet"), metadata },
    spec: z.strictObject({
      ...{ replicas: z.literal(1), serviceName: named, ...workload },
      volumeClaimTemplates: z.array(claim),
    }),
  }),
  z.strictObject({
    ...{ apiVersion: z.literal("v1"), kind: z.literal("Service"), metadata },
    spec: z.strictObject({
      type: z.string(),
      ports: z.array(z.strictObject({ name: named, port, targetPort: port })).min(1),
      selector: labels,
    }),
  }),
  z.strictObject({
    ...{ apiVersion: z.literal("v1"), kind: z.literal("Secret"), metadata },
    data: z.record(z.string(), z.base64()),
  }),
  z.strictObject({
    ...{ apiVersion: z.literal("networking.k8s.io/v1"), kind: z.literal("Ingress"), metadata },
    spec: z.strictObject({
      ingressClassName: z.string().optional(),
      tls: z.array(z.strictObject({ secretName: named, hosts: z.array(z.string()) })).optional(),
      rules: z.array(z.strictObject({ host: z.string(), http: z.strictObject({ paths: z.array(path) }) })),
    }),
  }),
  z.strictObject({
    ...{ apiVersion: z.literal("networking.k8s.io/v1"), kind: z.literal("NetworkPolicy"), metadata },
    spec: z.strictObject({
      ...{ podSelector: selector, policyTypes: z.array(z.string()) },
      ingress: z.array(z.strictObject({ ports: z.array(z.strictObject({ port })) })),
    }),
  }),
  z.strictObject({
    ...{ apiVersion: z.literal("policy/v1"), kind: z.literal("PodDisruptionBudget"), metadata },
    spec: z.strictObject({ maxUnavailable: z.int(), selector }),
  }),
  z.strictObject({
    ...{ apiVersion: z.literal("autoscaling/v2"), kind: z.literal("HorizontalPodAutoscaler"), metadata },
    spec: z.strictObject({
      scaleTargetRef: z.strictObject({ apiVersion: z.string(), kind: z.string(), name: named }),
      ...{ minReplicas: z.int().min(1), maxReplicas: z.int().min(1), metrics: z.array(metric).min(1) },
    }),
  }),
  z.strictObject({
    ...{ apiVersion: z.literal("monitoring.coreos.com/v1"), kind: z.literal("PodMonitor"), metadata },
    spec: z.looseObject({
      selector,
      podMetricsEndpoints: z.array(
        z.looseObject({ port: named, authorization: z.strictObject({ credentials: secretKey }) }),
      ),
    }),
  }),
]);
export type Manifest = z.infer<typeof manifest>;

export interface Rendered {
  readonly manifests: readonly Manifest[];
  /** What helm said when it refused. */
  readonly err: string;
}

/** The chart under these values, each manifest as Kubernetes asks. */
export function rendered(values: object, release = "t"): Rendered {
  using folder = temporaryFolder();
  const file = join(folder.path, "values.json");
  writeFileSync(file, JSON.stringify(values));
  const ran = spawnSync("helm", ["template", release, chart, "--values", file], { encoding: "utf8" });
  if (ran.status !== 0) return { manifests: [], err: `${ran.error ?? ran.stderr}` };
  const documents = parseAllDocuments(ran.stdout).map((document) => {
    // A key that stands twice is an error of the document, which Kubernetes refuses too.
    const [wrong] = document.errors;
    if (wrong !== undefined) throw wrong;
    return document.toJS();
  });
  return { manifests: documents.filter((one) => one !== null).map((one) => manifest.parse(one)), err: "" };
}
