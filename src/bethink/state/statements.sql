-- name: current_profile -> ProfileRow
-- Read the newest version of a profile.
select version, fields, provenance, at, revision from profiles
where tenant_id = :tenant and scope_id = :scope
order by version desc limit 1;

-- name: profile_at -> ProfileRow
-- Read the version of a profile that was current at an instant.
select version, fields, provenance, at, revision from profiles
where tenant_id = :tenant and scope_id = :scope and at <= :at
order by version desc limit 1;

-- name: profile_versions -> ProfileRow
-- List the versions of a profile, oldest first.
select version, fields, provenance, at, revision from profiles
where tenant_id = :tenant and scope_id = :scope
order by version;

-- name: add_profile
-- Keep a new version of a profile.
insert into profiles (tenant_id, scope_id, version, fields, provenance, at, revision)
values (:tenant, :scope, :version, :fields, :provenance, :at, :revision);

-- name: add_record (one, many)
-- Keep a record.
insert into records (tenant_id, scope_id, record_id, kind, value, at, revision)
values (:tenant, :scope, :record, :kind, :value, :at, :revision);

-- name: latest_records -> RecordRow
-- List the records of a kind, the most recent first.
select record_id, kind, value, at from records
where tenant_id = :tenant and scope_id = :scope and kind = :kind
order by at desc, record_id desc limit :limit;

-- name: all_records -> RecordRow
-- List every record of a scope.
select record_id, kind, value, at from records
where tenant_id = :tenant and scope_id = :scope
order by at, record_id;

-- name: remove_profile_version
-- Take back one version of a profile.
delete from profiles where tenant_id = :tenant and scope_id = :scope and version = :version;
