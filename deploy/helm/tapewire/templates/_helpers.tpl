{{- define "tapewire.name" -}}
{{- $name := contains "tapewire" .Release.Name | ternary .Release.Name (printf "%s-tapewire" .Release.Name) }}
{{- $name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "tapewire.selector" -}}
app.kubernetes.io/name: tapewire
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "tapewire.labels" -}}
{{ include "tapewire.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "tapewire.secret" -}}
{{ .Values.secrets.existingSecret | default (include "tapewire.name" .) }}
{{- end }}

{{- /* The pod of a role. Takes root, and roles: a list for TAPEWIRE_ROLES. Volumes follow it. */}}
{{- define "tapewire.pod" -}}
{{- $secret := include "tapewire.secret" .root }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  # Else each start walks over all files of the volume.
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
automountServiceAccountToken: false
# Else a Service named tapewire sets TAPEWIRE_PORT, to an address.
enableServiceLinks: false
# A stop drains for at most 10 s, after the 5 s in which the service learns of it.
terminationGracePeriodSeconds: 20
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
containers:
  - name: tapewire
    image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    ports: [{ name: http, containerPort: 8080 }]
    env:
      - { name: TAPEWIRE_ROLES, value: {{ .roles | quote }} }
      - { name: TAPEWIRE_ADMIN_TOKEN, valueFrom: { secretKeyRef: { name: {{ $secret | quote }}, key: admin-token } } }
      - { name: TAPEWIRE_METRICS_TOKEN, valueFrom: { secretKeyRef: { name: {{ $secret | quote }}, key: metrics-token } } }
      - { name: TAPEWIRE_SECRET, valueFrom: { secretKeyRef: { name: {{ $secret | quote }}, key: secret } } }
      {{- if .root.Values.databaseUrl.existingSecret }}
      - name: DATABASE_URL
        valueFrom: { secretKeyRef: { name: {{ .root.Values.databaseUrl.existingSecret | quote }}, key: {{ .root.Values.databaseUrl.key | quote }} } }
      {{- end }}
      {{- range $name, $value := .root.Values.env }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
    # The first start of an embedded database takes minutes, and a migration may take half an hour: killed, it begins anew.
    startupProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 5, failureThreshold: {{ mul (default 40 .root.Values.startupMinutes) 12 }} }
    readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 5, failureThreshold: 2 }
    livenessProbe: { httpGet: { path: /livez, port: http }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
    # The image has no `sleep`.
    lifecycle: { preStop: { exec: { command: [/usr/local/bin/node, -e, "setTimeout(() => {}, 5000)"] } } }
    resources: {{ toYaml .root.Values.resources | nindent 6 }}
    volumeMounts:
      - { name: data, mountPath: /data }
      - { name: tmp, mountPath: /tmp }
{{- end }}
