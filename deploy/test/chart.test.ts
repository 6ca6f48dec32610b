import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readConfig, roles, settings } from "../../server/src/config/config.ts";
import { unknownSettings } from "../../server/src/config/unknown-settings.ts";
import { slowMs } from "../../server/src/store/engine/postgres-pools.ts";
import { type Manifest, type Rendered, rendered, withHelm } from "./helm.ts";

type Workload = Extract<Manifest, { kind: "Deployment" | "StatefulSet" }>;
const ofKind = <K extends Manifest["kind"]>({ manifests }: Rendered, kind: K) =>
  manifests.filter((one): one is Extract<Manifest, { kind: K }> => one.kind === kind);
const workloads = (of: Rendered): Workload[] => [...ofKind(of, "Deployment"), ...ofKind(of, "StatefulSet")];

const database = { mode: "roles", databaseUrl: { existingSecret: "db-app", key: "uri" } };
const ingress = { enabled: true, host: "feed.example.com" };
/** What an operator may ask for, and the kinds that are made of it. */
const sets: Readonly<Record<string, { values: object; release?: string; made: Record<string, number> }>> = {
  "as it is, under a name of digits": {
    release: "7",
    values: {},
    made: { NetworkPolicy: 1, Secret: 1, Service: 1, StatefulSet: 1 },
  },
  "as it is, under the name of the program": {
    release: "tapewire",
    values: {},
    made: { NetworkPolicy: 1, Secret: 1, Service: 1, StatefulSet: 1 },
  },
  "all of one pod": {
    release: "a-name-of-a-release-that-is-longer-than-names-may-be",
    values: {
      image: { repository: "registry.example.com/a/tapewire", tag: "0.1.0", pullPolicy: "Always" },
      imagePullSecrets: [{ name: "pull" }],
      secrets: { existingSecret: "mine" },
      env: { TAPEWIRE_CONTACT: "desk: a@example.com # x", TAPEWIRE_KEEP_MONTHS: "13", TAPEWIRE_DEMO: "off" },
      persistence: { size: "5Gi", storageClass: "fast" },
      ingress: {
        ...ingress,
        className: "nginx",
        tlsSecret: "tls",
        annotations: { "a.example.com/b": "true" },
      },
      networkPolicy: { enabled: false },
      nodeSelector: { "kubernetes.io/os": "linux" },
      tolerations: [{ key: "a", operator: "Exists" }],
    },
    made: { Ingress: 1, Service: 1, StatefulSet: 1 },
  },
  roles: {
    values: database,
    made: {
      Deployment: 4,
      HorizontalPodAutoscaler: 1,
      NetworkPolicy: 1,
      PodDisruptionBudget: 3,
      Secret: 1,
      Service: 2,
    },
  },
  "all of roles": {
    release: "tapewire",
    values: {
      ...database,
      env: { NATS_URL: "nats://nats:4222" },
      roles: { score: { replicas: 1, most: 3, cpuPercent: 80 }, stream: { replicas: 3, streams: 500 } },
      podMonitor: { enabled: true, interval: "30s" },
      ingress: { ...ingress, tlsSecret: "tls" },
    },
    made: {
      Deployment: 5,
      HorizontalPodAutoscaler: 3,
      Ingress: 1,
      NetworkPolicy: 1,
      PodDisruptionBudget: 3,
      PodMonitor: 1,
      Secret: 1,
      Service: 2,
    },
  },
};

/** Whether a selector chooses pods of this workload. */
const chooses = (wanted: Readonly<Record<string, string>>, { spec }: Workload): boolean =>
  Object.entries(wanted).every(([name, value]) => spec.template.metadata.labels[name] === value);

describe("the chart, rendered by helm", withHelm, () => {
  for (const [name, { values, release, made }] of Object.entries(sets))
    test(`${name}: each manifest is what Kubernetes asks for, and names only what exists`, () => {
      const all = rendered(values, release);
      assert.equal(all.err, "");
      const kinds = Object.groupBy(all.manifests, ({ kind }) => kind);
      const counts = Object.entries(kinds).map(([kind, of]) => [kind, of.length]);
      assert.deepEqual(Object.fromEntries(counts), made);
      const names = all.manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      assert.equal(new Set(names).size, names.length, names.join());
      for (const one of workloads(all)) runs(one, all);
      pointsAtWhatIs(all);
      const running = workloads(all).flatMap((one) => rolesOf(one));
      assert.deepEqual(
        ["ingest", "api", "stream", "webhooks"].filter((role) => !running.includes(role)),
        [],
      );
    });

  test("values that cannot work are refused by the name of what is wrong", () => {
    // helm 3 writes paths with dots.
    for (const [values, told] of [
      [{ mode: "roles" }, /databaseUrl\/existingSecret/],
      [{ ingress: { enabled: true } }, /ingress\/host/],
      [{ env: { TAPEWIRE_KEEP_MONTHS: 13 } }, /env\/TAPEWIRE_KEEP_MONTHS/],
      [{ persistance: {} }, /persistance/],
      [{ ...database, roles: { api: { replicas: 0 } } }, /roles\/api\/replicas/],
    ] as const)
      assert.match(rendered(values).err.replaceAll(".", "/"), told);
  });
});

const rolesOf = ({ spec }: Workload): string[] => {
  const [{ env }] = spec.template.spec.containers;
  const found = env.find((one) => one.name === "TAPEWIRE_ROLES");
  return found !== undefined && "value" in found ? found.value.split(",") : [];
};

/** A workload selects its own pods alone; its pods have what their container mounts, probes and is told. */
function runs(one: Workload, all: Rendered): void {
  const { metadata, spec } = one;
  const others = workloads(all).filter((other) => other !== one);
  assert.ok(chooses(spec.selector.matchLabels, one), metadata.name);
  assert.ok(!others.some((other) => chooses(spec.selector.matchLabels, other)), metadata.name);
  const [container] = spec.template.spec.containers;
  const claims = "volumeClaimTemplates" in spec ? spec.volumeClaimTemplates : [];
  const volumes = [
    ...spec.template.spec.volumes.map(({ name }) => name),
    ...claims.map((it) => it.metadata.name),
  ];
  assert.deepEqual(container.volumeMounts.map(({ name }) => name).toSorted(), volumes.toSorted());
  for (const { httpGet } of [container.startupProbe, container.readinessProbe, container.livenessProbe])
    assert.ok(container.ports.some(({ name }) => name === httpGet.port));
  const names = container.env.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, names.join());
  const known = new Set<string>(Object.values(settings).map(({ env }) => env));
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    [],
    "settings that the service does not read",
  );
  const plain = container.env.flatMap((it) => ("value" in it ? [[it.name, it.value] as const] : []));
  const given = {
    ...(spec.template.spec.enableServiceLinks === false ? {} : serviceLinks(all)),
    ...Object.fromEntries(plain),
  };
  readConfig({ ...given, DATABASE_URL: "postgres://db/tapewire" });
  assert.deepEqual(unknownSettings(given), []);
  const { periodSeconds = 10, failureThreshold = 3 } = container.startupProbe;
  assert.ok(
    periodSeconds * failureThreshold * 1_000 > slowMs.silence,
    "a start that migrates is not killed while the database still works for it",
  );
  for (const role of rolesOf(one)) assert.ok((roles as readonly string[]).includes(role), role);
}

/** The variables that Kubernetes gives a pod for each Service of its namespace. */
const serviceLinks = (all: Rendered): Record<string, string> =>
  Object.fromEntries(
    ofKind(all, "Service").flatMap(({ metadata }) => {
      const name = metadata.name.toUpperCase().replaceAll("-", "_");
      return [
        [`${name}_SERVICE_HOST`, "10.96.12.7"],
        [`${name}_PORT`, "tcp://10.96.12.7:80"],
      ];
    }),
  );

/** Services, secrets, budgets and autoscalers name what is rendered, or what the values name. */
function pointsAtWhatIs(all: Rendered): void {
  const services = ofKind(all, "Service");
  for (const { metadata, spec } of services) {
    const behind = workloads(all).filter((one) => chooses(spec.selector, one));
    assert.equal(behind.length, 1, metadata.name);
    const ports = behind[0]?.spec.template.spec.containers[0].ports ?? [];
    assert.ok(spec.ports.every(({ targetPort }) => ports.some(({ name }) => name === targetPort)));
  }
  for (const { spec } of ofKind(all, "StatefulSet"))
    assert.ok(services.some(({ metadata }) => metadata.name === spec.serviceName));
  for (const { spec } of ofKind(all, "Ingress"))
    for (const { path, backend } of spec.rules.flatMap(({ http }) => http.paths)) {
      const to = services.find(({ metadata }) => metadata.name === backend.service.name);
      assert.ok(
        to?.spec.ports.some(({ name }) => name === backend.service.port.name),
        path,
      );
    }
  const secrets = new Map(
    ofKind(all, "Secret").map(({ metadata, data }) => [metadata.name, Object.keys(data)]),
  );
  const keys = workloads(all)
    .flatMap(({ spec }) => spec.template.spec.containers[0].env)
    .flatMap((one) => ("valueFrom" in one ? [one.valueFrom.secretKeyRef] : []))
    .concat(
      ofKind(all, "PodMonitor").flatMap(({ spec }) =>
        spec.podMetricsEndpoints.map((it) => it.authorization.credentials),
      ),
    );
  for (const { name, key } of keys)
    assert.ok(["mine", "db-app"].includes(name) || secrets.get(name)?.includes(key), `${name} ${key}`);
  for (const { spec } of ofKind(all, "PodDisruptionBudget"))
    assert.equal(workloads(all).filter((one) => chooses(spec.selector.matchLabels, one)).length, 1);
  for (const { spec } of ofKind(all, "HorizontalPodAutoscaler")) {
    const target = ofKind(all, "Deployment").find(
      ({ metadata }) => metadata.name === spec.scaleTargetRef.name,
    );
    assert.ok(
      target !== undefined && target.spec.replicas === undefined,
      "the autoscaler alone says how many",
    );
    assert.ok(spec.minReplicas <= spec.maxReplicas);
  }
}
