#!/usr/bin/env bash
# Builds the image of the services and engine-sim. Usage: docker/build.sh [--jars-only | --image-only]
#   PENSTOCK_IMAGE  name of the image (default: what .env says)
#   BASE_IMAGE      a base with a Java 25 runtime, sh and bash (default: what the Dockerfile says)
# Needs JDK 25 and Maven 3.8+; without --jars-only a Docker engine, for which the legacy builder is enough.
set -euo pipefail
cd "$(dirname "$0")/.."

modules=(router-svc health-svc telemetry-collector admission-svc autoscale-advisor tools/engine-sim)
image=docker/target/image

lay_out_jars() {
  local list twice name module shared versions
  # Every module lays its runtime classpath into its own target folder: the path is relative to each.
  list=$(IFS=,; echo "${modules[*]}")
  mvn -B -q -Dmaven.test.skip=true -Dexec.skip -pl "$list" -am package dependency:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory=target/image-lib -Dmdep.overWriteSnapshots=true

  rm -rf "$image"
  mkdir -p "$image/lib" "$image/app"
  for module in "${modules[@]}"; do
    cp "$module"/target/image-lib/*.jar "$image/lib/"
    cp "$module"/target/"$(basename "$module")"-*.jar "$image/app/"
  done
  # Ours change with each build.
  for shared in shared-model routing-core service-kit; do
    rm -f "$image/lib/$shared"-*.jar
    cp "$shared"/target/"$shared"-*.jar "$image/app/"
  done
  rm -f "$image"/app/*-tests.jar "$image"/app/*-sources.jar

  # One classpath for all: the same library twice would mean that modules disagree on its version.
  twice=$(ls "$image/lib" | sed -E 's/-[0-9][^-]*(-[0-9A-Za-z.]+)*\.jar$//; s/\.jar$//' | sort | uniq -d)
  for name in $twice; do
    # classifiers of one version, such as Netty's native libraries, are no quarrel
    versions=$(ls "$image/lib" | sed -nE "s/^$name-([0-9][0-9A-Za-z.]*)(-[a-z].*)?\.jar\$/\1/p" | sort -u | wc -l)
    if [ "$versions" -gt 1 ]; then
      echo "docker/build.sh: more than one version of $name in $image/lib" >&2
      exit 1
    fi
  done
  echo "docker/build.sh: $(ls "$image/app" | wc -l) own and $(ls "$image/lib" | wc -l) other jars in $image" >&2
}

if [ "${1:-}" != --image-only ]; then lay_out_jars; fi
if [ "${1:-}" = --jars-only ]; then exit 0; fi

name=${PENSTOCK_IMAGE:-$(sed -n 's/^PENSTOCK_IMAGE=//p' .env)}
docker build --tag "$name" ${BASE_IMAGE:+--build-arg "BASE_IMAGE=$BASE_IMAGE"} .
